/**
 * Two recorded mainnet blocks, copied from `vectors/real` by `scripts/make-sample.mjs`; not edited by hand. They come from:
 *  mainnet-2026-04-simplex/block-59379986: nirapod-labs/ton-net, core/tests/fixtures/one-link-simplex.hex, commit 9e43419ab58a8f5d41f26edc9845ee07ce2c5481
 *  mainnet-2020-04-06/block-3082200: everx-labs/ever-node, src/tests/static/test_master_block_proof/*__3082200, commit e4068621a96d78969dd6df3087504d25b06fca6e
 */

/** `mainnet-2026-04-simplex/block-59379986/signatures.json` */
export const SIMPLEX_SIGNATURES: unknown = {
 "ok": true,
 "result": {
  "@type": "blocks.blockSignatures.simplex",
  "id": {
   "@type": "ton.blockIdExt",
   "workchain": -1,
   "shard": "-9223372036854775808",
   "seqno": 59379986,
   "root_hash": "Ska1jA7hGH96kE+yc2Po3SxJ3DqMaVYy1SIFIB8eaak=",
   "file_hash": "y3sOD+tY2PoNcF3Dd6YBNrqavlGEyL3YGs7GjRWQwbQ="
  },
  "signatures": [
   {
    "@type": "blocks.signature",
    "node_id_short": "qeFFopW4xrlzWoHXssJBrD95wE9V9ig5OSHL6/7sdTE=",
    "signature": "AZLMERojKsAu6+FwKwlWseLNIdHCcce4cMZW3cNMo5HzTA7SqSoUrBf6CiYyGoAv5secMp3NajwhsnqYBOTPCg=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "MIueJ3iSTZUg3JgSIa0C8TePi/sKdBI2lPRXOXt2i3k=",
    "signature": "kfmkY0FTHGvjbXidGXLxzkEK8bPmpcRpU+OrNpBr90iRQuHvhKFLwCKIXQD0qIGtU0tdTKZzm/B4SizU323QBA=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "MZ899Tu8AoHg6vOrTuf8rcqUJgiBMO7r7pEze8fpVnw=",
    "signature": "tJanpPkF0HH+dlmFxrVQiI3b+HkXLWrm5wsvpS5ghwYnO6PEayweMoVvuLX/yGwIHaiPgGk7KbqAslf7Z4wGCQ=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "qVzXcvglMr0b9/D5ZphRczRnCMqULeURvmLqE5u3jx4=",
    "signature": "sBaWLXlmM0KAUsGYKr8MWzCGAyk//noL/YX8r0sSHQx3R2xCtoW5FIF6uzhtXEhZrQCJTDSDmZskZoBZeletCA=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "K1ZSK/xed7t8FgVbmnFhcimCF6jrvCYyjhZxPTyE3y8=",
    "signature": "ZW3xKMkr7vIZugD3+HL2p4AWo6bmQEnhX35eXe7efbt02YL2mVaXMkVp/+nD2nNaQgJIKGt9WhyPYTRSd7ToBg=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "VfVhHjx4k28qBCe4GkIpqEwtZb9Gf+D5MdAYH3hTPlE=",
    "signature": "uzUoaGKDw2S4b3VGeHCAyNS3psofuU6Ot0FadAGocSWs2nZvIKRSjg3/RtLM3PjuyOMFNas4wAO9I086R3krBg=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "cLZrY4+4/DNslAt1XMH4k8/UD6Xw+xawKHgx1nderpQ=",
    "signature": "8LZgfxlYvXR3nAITvVK6n5+47dP3Mrw7NUAGuKj8G5xbhtFjBMAL3SByEOZq4qXoL15F+V0GqC5C0xNUhfIWCg=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "liXeQDBtuPkVlbJP4DkE0OQe6B/ivwC27IeyXarZOow=",
    "signature": "5qsjThupVYlCbFg+uJ+ZsTHnFih65RGP0F4ARY9bvZlHa+kTfd+JKC+cLGDhRmspe4izn4rSO6U0RWhZFHHsCg=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "TEQxD+2DcWyYhjLeU1Gr5epMluTSRIVBLGNKB2rp9fk=",
    "signature": "qDNrarT+EZkVx4KynhrbHWQgFqdiXSGVzy7in+r87AUaVJeXmV23nnVdQcHphO0szcyXN8wskdTe4IQPrDmIBQ=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "TGuDwOp3DaMlMoyoqclatgiE5MkYB/eigSoJGWgnOIQ=",
    "signature": "jDKAuzayzQAPdXMU/dAxOvBl5fcYzPZnVhi22T2xBbrEgUK5HbfnUeX1He7/0bSP0vhZunua4Dghy4L6hmmuAg=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "fQnA3p2uRhU+8KB26qwISN/KDrqU920Q0AkoWcPY+IE=",
    "signature": "5hRvoj3HKh632/u3P49nBjVTldEGP7D7Q9m4Cfwf7jlgS0MuVwgCMv5t/AM8S7hbbld/qBq/HoaRyZvoFuq5Bw=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "jJsQbcUQUnUirA4brK4hftBOodWmEwjoDPLuHH1TXZQ=",
    "signature": "Gq1q+KTZLMHBK8Z4Ggo1AiR802t6rCzKZAPsZYltVGEGYfzeMnzRE8P1GA9W0PI+qnn4BP4pSrjcUOpCWDK9CQ=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "ceJNgYy3/BPGtpHJt4iDUw+D49HRppAUlkOmjRr/mpQ=",
    "signature": "B00WmLiFTyUG/eqAFvBJII13z7uzf6OcXyiBCr/9XWL1cclhXCTv7FHwJLoRxE1mWz1V5rdYzyBPzRTGUn/OCw=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "ntN9n5v+3pXoSZhDXqCRTvLUE7Zg9QwPj71HwEteTHE=",
    "signature": "txnPtSHfP8hdxxJmwC9cJiAGUCM930ooVsMnZ7k8oEcOaYJ7H/hCAaOtP9OFAnF22cQGTDcXZglO00VEtEoqCQ=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "7MYx5Cp8ZPk8OP0kmZuBlccYbgpbnQD0aDGiVK2GD1s=",
    "signature": "YHXFETkgmn/dG9C6EycW0BO60TLbRceqGKRCG1af1eGrax8RSyl72FURlGK03G8yzkyN6231kaZx+akE1y3vBg=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "u9nfGKP+ric/unBmUgrpd1y6Qt3Wz6ccADIyCqXoU8M=",
    "signature": "KJtycsKWObyUVs8inE8fDElqgkD9v0P2frattDLi9AsilMISJthMahE8zH7nbWm6WU2lvAcGs32bS+eliCcYCQ=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "L9milj95onudkdKMWmySuwLa+sNEjnJCkpq/1u8mnFA=",
    "signature": "hOoccr+uBXl0sp3XivvFZ+WxMEyiZrsS+Xsl5wncja4jG+NyJlROplU1PxfikuzOyzVBpJPrlObfqHotZWAKAQ=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "5V8DPwbMnIjoNftsG4KoGxh9iOCzNDAFyvcIoY9Ryf0=",
    "signature": "A2XFuLr1NpynhangzxqZxXRiz1u1pbRD3CFpguegTFmUAvsDctlt+gdH+Y5D7eNOQkc01kcOAFpadO08va83CQ=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "P15+0UmWs8mKYITSR1l1nwpNuj+0Iz1/Jzg/1tVHSx4=",
    "signature": "M0btcN9M/021P09p3e4PVwO8QdiLokQZDCTLj4wDGpSs+B6LRPcST3ie/DNhYo5G8S0CK/y518xkcmGcriZoBA=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "hOdPzZLYcKIjETSCWGcX8owieBnmDQ4tYQT2lm9LCAo=",
    "signature": "h5cOtsA/BC0JLZGpVaelMIAzxL7ZeYXZ48d+BHVhSCr/dz6OagrW4coyhT5Wc8P8xd7/pgiocLInuWZMxiOVAQ=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "4ni08L+S8JmVxS1j3yZQ3JmtVdF9wPOAyRZfWExRhGs=",
    "signature": "kWKsSFERkpPP7WlB5pkeZzcdqo7hs6gy+VTWwzQ4bysFrtXzmCGaB24o96+Jzcl8UbXL76N92uq/to9+Y1hzDA=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "HGtLTpbijZFFpHE38P1Sy0WbV42VaPShnSxIVgtTjIQ=",
    "signature": "4ubmCaqCtOU6YY5oez5rfyoeygc8dtntzC7UHYch4tjbk8Ivns3VNi5vjeDVsNuhNTeWf+6KCb5PofhvXAu6Cg=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "J5o0NBu5i9minTZdKcA20GsaROBG4BfxdFEcXr83Xro=",
    "signature": "32DAnZRqpSIPvY+zq/uHas2TmDFpffzyxPzGvJ8tV0zCU1yhMwZgT+n1Of+1+JDZeHne3A9fMyHAY5duK8FYBw=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "plGNOzaOyfj95FPHgFRXj+HqV32hzBpBlhguTFM67RI=",
    "signature": "oBbQiviFuljljJFtXlzggG7mI+N/WL8uOr/Hxo1vZTMU/+G26CDXh92Qf6u0PuBYE4F1amo6lc6Za0kad3IMBw=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "P3Ch5FE2aFQJOr8Znhj2Tjfa7mNwq+yq3KDcoPrHJic=",
    "signature": "iIx/dVcp7+wOd+i8ghGuCAb4Alkwl7s6S2YCcAuhAcfSqxdCPhtAKOBXeSPp115hClYKnWbID/9GPOt3eC+MCg=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "TYbU6p0nFXhd0TZUwg5VWdU6DEOsBc4VVNjqIzoCemE=",
    "signature": "B+Uej6KY+MF0s7yiTQqNkKMrMTz0pmsK9rvWaDvlgi5YVu7LEsrEY6PNUj8O8yoZksLfChxoWGZ0fiungnkRAw=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "dTaBbGLXQnTJHLEZ2Fu7n9qE9/2ngTucDmmDpao8inw=",
    "signature": "EhEeVfAZ+8y6JU1VhZ4YW1aExOK1vNmAoG7Qu5Pwm2098ZOnu5omV56QGshINBDrpufXTd4EkkCWaQrDpNXYDA=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "nVlvhhtQfyfG8eUGMAWT89y/eYiNCBulO/YrKeb4V7I=",
    "signature": "D1jB6bSBkrgGkj99hPW9zEN0J9KKue2GSpjWx7WmTIVLZnIHQx9rGzC6roiZBv3HtdNzH9AefNby2zCtQfR/BA=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "ZKN58jtpUn0YpAFdD4OVaSbEF6XdJRw/gUUkDGA21cs=",
    "signature": "hoCM3Kc/gBkdg+GT8nke9rj9y52XsU7z5FilMCrFe8lFO1dsqjmb4eMsb84jm+lbDUh6e671PF8thbSklheoDA=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "JKP5sZ0r93EgxciF3m8nKtVW4cHeNIrpWKl+1ZBDGgE=",
    "signature": "ggcXYfJIwDdt+2pQR1E5jK1gMzilQZk51+QUqB2/46RqsisqWKP+mYRejac1lbSIpvWOYz0gq/CucNjilicRBg=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "fdjNjrs3kFPlVdoEoLcBejPWIjdXwuMqbYHgZuUfnJ0=",
    "signature": "uEoopfsiadTakiTVZ68bJJOeSIgl9+Vk8V91SsRF89pvhir8f56NSGkCQLXMiQbKomwTIBIBpg78oMauhz2eBA=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "4h7OmpvRxqNjnEClGxyBJoX/eegIA7MWAkMlDcpy6kk=",
    "signature": "PnBwrrj4zhWRdPn/opfo5NYouEDTjO1NAFSiErYMcwzvbd2+oMQTD65lRLskuGcj/zA02ZVciMlG3hB79nnIDg=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "FZozSP7aXuKx2gkk2J9CY54UDFldLPpYX6tMwm7JVIU=",
    "signature": "MfW+EUvo6qhQKBr5/sAzKMo7VcnPKkmdwdEX+wrdHcUCT83QZ8hd+HqxMBoyxSwm47AedJTyDtL289iWneIzAw=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "/AOXgq6qQcCCWvmMOkzW+AjR9VtMhRSDbdsL/g7PHFY=",
    "signature": "wlEn0egwdvL/FliIVGRqHx44XKGeEOhcaMYXWkJaZOW+o/1XENPqaIWelxL9uOLc06AF47/wVPKr+ABataOfCQ=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "b2XMtceMxEG6km7qxByNRTyuMr+E1/LxuSilBF32G18=",
    "signature": "Gx4Q6vGN5g8yACvxqp+ZY40i5IkgDi8tIawzcNpg+SUTCnPfJQFR85lFrSeXH4k8ScowqDlnkmhauaFmHBG6Cw=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "3vFFQsPRH1iVS9rPQdrhavPWF0afdqFXt+NMDLGtl1g=",
    "signature": "LBGwFTPTjli098qnlJ6HukMIRE1NAkyuyaAnJXdxTMDbClTebba/SrZPULwa81IWbd5uLZXgkxgC0Iynasl3Dw=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "929DwUJoct7QKVx1XH6aLgyy1uYViHKwJULKrk/Yh9I=",
    "signature": "vUaWH4axfvQX9eI59MzhC+yBVVuSIfyF33A+McLI9YsS9hlMIAE9+r0YYFgiAaoVMzveJsJ7WZqtg4ppVGlyBQ=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "FXGog15uTutjWeMh25LBYhF5gFpp6LZwwTe5ftRtZa0=",
    "signature": "lpPfOSrJsKMSa1QJTyLY+cvVdCW1o1redIsAQRaRFZqQMjVz4/zZcNHpvlrXzj8kU5KNX9mIMWtSWtu3CO6UDQ=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "jkKr4gjhX10FFtbn93e3E9uAez4Fzn5+LUeTlwQn55Y=",
    "signature": "4noRwhgwO5mhqcxGkqV3lv3DJhFvAk+7CWkv+XX5JwMDaiG0YlvCGPOfKNaVM/GyLpeWFWZjzBQDJgBKd0WjAA=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "8FuQoPSHNLTmjfrMC2fIf/ZjDZpgTLDnIun0RtwVkr0=",
    "signature": "oFF+rCD+h7k1JN2HjU9Q/zVMMSxJ64nLw3pmxrDftFt6hlYiNDtdA6WMlc/hA26Zl9d57IewiIXhzn5bl5uQBA=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "3EojNHWcRsZ4AbRILwe2HAsyTALfQ3F0+lsisgYTGyk=",
    "signature": "Cae6s4S8z0qmeSootNV5IG4hWD8BmlwXmPbDR0snbxM578luvTvmihABKhyeANSqzra4TAQikXOssFbBceRNDA=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "HVbQX/tHgIF/ioBt2Efh8R5ncl7qGMOPdvF0k2jh2Yg=",
    "signature": "iejzeFAdGyVjqaeGUGydKzSDTBjGeq9Jgzm2M7VTt1xZSIbqnfpMLK0W7uxV8/0bJGvGWSfjvqRKg1wDwQjrDg=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "yuif7plb+rK/In4dPH1/eCH0P2xZp67bwVlhBDtY6ns=",
    "signature": "YtI/quCxAeDyMK5ytgb61inX+6TaQiKG6uWlisDJqPXr7lB7nTSgVVM30QbS6XpYSdB/Ega0FWNjP82ZDFV+CQ=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "Hmwj3ns+B9P0nRKGsEATRCQFgLPZxNmK+Ai9RL/ZvLo=",
    "signature": "srG7jn2oX+gz2p6bg8oiV8iSMKtUx8q0SRWW9pMmMVmXX6yCfWEgb7GCd/ohNQURbJQQxXX9BTj4vUNimBHpCQ=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "cYEelPrg7c7SJdztlTSVSMw0jNnmi8n0MsfLPgC0Yv0=",
    "signature": "VsdykEQ4zcywO2NTI/2jfHzRTnHcdbi5+jrS3D0egcm8CwCVg+pRGcMz8+l0m9qMkrkaSecmypc4Yyiw9vn4DA=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "0dQ9YLC+x2KJ+P0VBhstEU77KLw/QNa1KIa4q0tqC5g=",
    "signature": "zsFErGnVPy7DLQH4P5CoNlR2/hsd8Ta8IvpiBt9Rjc6n428oUmm2rPvtuD1k1kyCWJDGtJeYq0Tg/VnxyQ3FDQ=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "k/Yr4coJR1jwNB+HvoZaNI1T0Xtw1xwmEFMb7HookNI=",
    "signature": "XWL9TfIVzX/c8PN/OkGlIDvml4370FMYRdi6Hy/WkkzJ2H4BCw8wEUzhKe8REmhg2V7TlSxCvuxQF7eh6wrEAA=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "ax6RYxc35RkD9YVREu6qMYZFzsdXeF8LPBBqqtscVdU=",
    "signature": "bF87DmVUB0RRdHoieBsjYWCGxzE00xO47rRRh7KhR7y4SVagW2X8rLDWmJKFcgO23Djl6mqz8rv+JrhXhpptDg=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "NfH9XRkZVhUD5zrvPKoYE+45nUXGXfHGuXsr6zRAK8o=",
    "signature": "B2OmuUW5/bfVpjpTPzPdSEqDwAXmr3OXp7TN/DzM/PzHFKMACD4wDEQQIab3RctEDtRQKYxeYqaHCnndUqR+BA=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "idns1GgMP10MaNxax0bBSY1vZhLBjgmQuer5lVBKvFQ=",
    "signature": "kKVAD2LXJ1+xAPa+14mU/B1FC0ZKHtqMwjpvMrNZX4+9ep9jdtaK0aspYBXbdCIuAaWZ1ENHzoruZE/9dURGBw=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "aCIYmcdhlIJXI6N03zfFuObhuAafdlEeUcONZSVtv0U=",
    "signature": "Q5jm28+ASIB4FSh5010ttkl8WArrRAtswGS8rGI6FMHEXJDv7CNSYNU8gCRYv8omBfKk3kUNSLUdkrVEtGNvCQ=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "ULneL4srTVB8sTlEwAMtPeDyfm3t4hIArR01hwkvjNw=",
    "signature": "LM/Mu7k4REu1EVcjB7n8ur7Ndlvyq1euXKFrJOKa4f0RXVHuSNLETygJ1UwVA1JW+YMetOZjZdMX7OWTrbYrDQ=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "4j1JQ5i8ObyiPZdW9L/HxGFFQUf5688KzYEEDlkEKHk=",
    "signature": "Jb6KaYpLTzQIbaEfsZrwUSS7UQk4JO026df9xxiY+51RSz3YAbygEvXnEQEEJfG4ZpStUyG8AKk4nLhs8MyLAg=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "/vItf2sJRpITAqW0MbR4EVzPINlOyGL5/puO1fhAt58=",
    "signature": "CeIi+Mim18LGJSCBSY+iWWHiEqbeDRVwhSQgrNqyzG/kShri/w0ugUKpkakCaNyB5m0gkUkFhaBF3eEoXVbfCQ=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "X/tdWM/qML7ONip69+XVPfVJV21XrYO77DDXXX/byfk=",
    "signature": "wCRGs88LysTIE+M4JsOe8WW3jKz09Xjt2R77AIoo/nDBCpOjLxmPPQtZf8SvN3GyO9rgmJnMguIYkEJDBpE9AQ=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "vYWZ8vxDrO8uIUWurLcOttlHzIHHeab1YxZUMewawos=",
    "signature": "ICYKsSRTNkpH/17qRcskXaIwz7xnXYm9efpEUmlElTVn+IcyOI0oDah0SjsphXKxWEtTxtFyoz8KASVEyup5BA=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "5SKcmNdyuQ0mE+/FXesXpcPsE78N5lKxJXuuqkW0pOc=",
    "signature": "AoFv5m9ptv3y+pViVFySr7zP6j+ILDbrIVhSeNezKgZj9FjB60esRfrwH1u3YEi+pgvarYHDJ9jl4NFoJm8nAw=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "ScB93aNySHSub/hNA24TYkmRpxhD7uqeCUCdiAmGIPs=",
    "signature": "FtdeUScr5+tpI3TjSjtoGXdU6DQWw/yZamJylAyRjXtreEwr4ofAwjEuHgyjiHtuOU4VzSg/e4Pcj8/V571jDQ=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "Hx5HloI7GZkPDQeLRqu+dFfDU3X7LnJ13GCRGeI4HsE=",
    "signature": "igjUg8iTaWfo2rld/W//d1nnEeuAbIhtu7bD1VsREgvJSNqiiSavHkOH2GaUqjAPuXUIraVgffwcuGeX3X68Ag=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "mtr1umX6/M7QOIhxj2WK99Id7+lo96Q8FNFHxNp6Bwo=",
    "signature": "YPYqqGzsFZwmLSM/EImGzTtCC3h8mvb2MESYDsaOeH5puQZ+pLcpdxp0Jx9e2M/VaLRKIAg4zjri5+UKYkp1DA=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "ib1GlqmEXZNSdZ+8JTPVRjeZQeR4sZ209dASy555Hmo=",
    "signature": "SA//LNDWP0GpqWZx/cdOnUWllBi8MYsuRRs9SuTsoNLy8xuk6DTGLoVsU62PDMolEaupWdxF4p7jwctpGlNzAg=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "YeqQBzatt4OMQTWyLN4BJ43JeeksItwcsHt3yVWGad4=",
    "signature": "Hm5k2do432M/XcJZssqJyYhBy68nlQ1/YkUbQvRycjhfIvdtTNhhg2eRdiWO8luCAYNlPA5MTSB0GjqL8/npCw=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "A1NT458JAPP9KsjcXrVO5BMpSmR4UOVBd3YvKCrxwNw=",
    "signature": "7lFunZqhC+VTUme3EcRiTJ0XALv/BWORotrC2/j1RDwTv5lioW9kVSIeH42z79bwzDdj/kccI4N5y6BDZ0QrAA=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "uhqS1hHF2vkIh2L6qVarX2Kf1IMDd35gcFSLQPac7Hk=",
    "signature": "64W2gWoO99YOaB+SqHbusMIbQ45DsycGxRmUAJLg4OlWRaK0zeTi1ucOG+9J/CuPVeRnthp1QeA9OEk3VTlQBA=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "Gsr8UvZA5pS4i9oficY9JV3X4qgWcGeErjg8NgSclYs=",
    "signature": "ka7Nprg4UzKJjyl43INFj+ySvqyquu9nSRgY/vOg+59CMKlx/gMYGzrEgx5Ys6qplsGlsQ2WqigMtvbdrI7BCg=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "22ChRu9Y+yc8r4Av0O4hjNEaSazlzQkFazLYLTAbXiI=",
    "signature": "bHH/ngpw5HEz9mGVfW47Wn+5Dak6U+qE5BQQFGQuLbI6ARIxGqf7MwH8lzCkNd/+mKeWhaVmVmfoYb25hTi0BA=="
   }
  ],
  "session_id": "rnFcj83f9/Uq7QIncNAwW6LiXMXjxawO2zN6N2YoHIU=",
  "slot": 614,
  "candidate": "3Lz56P////8AAAAAAAAAgBIRigNKRrWMDuEYf3qQT7JzY+jdLEncOoxpVjLVIgUgHx5pqct7Dg/rWNj6DXBdw3emATa6mr5RhMi92BrOxo0VkMG0XNlqUTKa2pILsHUl3CwwCOlbqvy3y0tdLxolBzTyWzvxmksaP82RtmUCAADVGrCJl7LFC+RZ8OV6klhXrGSMEUfXpsuDCzHYZjjKSA=="
 }
};

/** The first `main` entries of `mainnet-2026-04-simplex/block-59379986/validators.json`. */
export const SIMPLEX_VALIDATORS: unknown = {
 "utime_since": 1775718152,
 "utime_until": 1775783688,
 "total": 100,
 "total_weight": "474460508260789386",
 "main": 100,
 "validators": [
  {
   "public_key": "9b1accae6017593024e7e558c6bc99e23856dcca9a91e0be81e7fca8b30704d6",
   "weight": "5698467865837903"
  },
  {
   "public_key": "2be4789486cf027b3143eb32e6de7549468a0592efefea308e3397562404a73c",
   "weight": "5698467865837903"
  },
  {
   "public_key": "dc09980923675d496581570098a096192c7f589cbf1c4a49e5577bf2cd74a1a3",
   "weight": "5698467865837903"
  },
  {
   "public_key": "6253814e8a9897c88fa9697f0909ff786e7884d1c8c46a3b30f64db05277c501",
   "weight": "5698467865837903"
  },
  {
   "public_key": "86c5f3f540e10746057074a08464cfed22de14bbddf91e234918dafa3532f826",
   "weight": "5698467865837903"
  },
  {
   "public_key": "81d74bf5646a630fa0f2aa65af51915fb61d19e16a8eb5378221a51593ad857d",
   "weight": "5698467865837903"
  },
  {
   "public_key": "0e5a15319787a802c8c5d6f2ce85bc124c1be7a158caeddffcb58e5c861817db",
   "weight": "5698467865837903"
  },
  {
   "public_key": "174d3d1d4bbca37b5a85e7b1b233aa7ecf57ebeaf0caae8d61d377144ffbe0c0",
   "weight": "5698467865837903"
  },
  {
   "public_key": "08e007a0ed4f85d5a614445a0f553855af95e6d9700114e8c1356b68c651a6e1",
   "weight": "5698467865837903"
  },
  {
   "public_key": "88a48abab8f64d6e0d412d4825cd94d651cb6f79670a9a0636afeb3831c2b4af",
   "weight": "5158463325350825"
  },
  {
   "public_key": "aaada27adb46074e2335c6f366bbe7dce88a9b8e3bca82cc41ed6d5192a73b4d",
   "weight": "5158460805529245"
  },
  {
   "public_key": "cbb8bf899574675f211c854190482eccd7defe7e0f42e991ed42b923f3031e1e",
   "weight": "5158460805529245"
  },
  {
   "public_key": "6512782e0d1d401f922f0a9619cb64b896bd49bfc0b851e56cda9342ea4e151b",
   "weight": "5158460805529245"
  },
  {
   "public_key": "ddbef532687eb82ab84fd56cde9f27dd8cdfcdd2655c4e30b1033397ee4d5129",
   "weight": "5158448206421349"
  },
  {
   "public_key": "4ef6fd40ed4b27de056ce927e3cd7d7ec88008279aa69b375bc0b05380bc56c7",
   "weight": "5155293389804132"
  },
  {
   "public_key": "f5f52f6d7be98b5fabb4a7fd7021705160dfa48dec60a91a3a1d02f04dc1153d",
   "weight": "5155293389804132"
  },
  {
   "public_key": "8671f2aa061ac80a945c6894ffff83f009fb14d171f4d4192b4105b34dd45c2b",
   "weight": "5155293389804132"
  },
  {
   "public_key": "0ee4e7c00c96f38367a584975d6d6924ee5084df5831524b501694a0d1f85494",
   "weight": "5155293389804132"
  },
  {
   "public_key": "145f0779b0391b39d976150da5ef468f10583add0001ed867876d571551caa5e",
   "weight": "5155293389804132"
  },
  {
   "public_key": "a9feff23dfd75f83ce2d005732e59e38bb2c113fe4663fd6a3af829a9cfca90b",
   "weight": "5154545002795095"
  },
  {
   "public_key": "d65ef738da55dd014cddbfd13c820271bb3c4703094b39e4b8acc47bb329d4e6",
   "weight": "5154545002795095"
  },
  {
   "public_key": "d21d3ecbdf0feed16e61e1424ceaac0dd4a9893983cbd5c1fdd0902056fa5260",
   "weight": "5154545002795095"
  },
  {
   "public_key": "723d0ce3ad78a492f4b33be81888b328fdd8568b5f698b44985b30c10ac707e9",
   "weight": "5154545002795095"
  },
  {
   "public_key": "fe8444b35b03440ce37b55e82b0834488896aad46c2f994ed156856d9a543902",
   "weight": "5154539963151937"
  },
  {
   "public_key": "04ad1a6153987bc66e6e4b315213df29125739b87f70a3fd4bcdce1772758e1c",
   "weight": "5154325778317701"
  },
  {
   "public_key": "a5c0d94db34465a934ee210c7ca9725e92c8d2cd6579f110aac0ef53e7b6a797",
   "weight": "5154325778317701"
  },
  {
   "public_key": "9384de08e3f65ca3692d7406036bb39a9557bd9069b4060763db90beed4d63d7",
   "weight": "5154325778317701"
  },
  {
   "public_key": "5405a67eebbab3023f0d0dbdeabbb994b3c943aba45891738ed8bc5d64ded852",
   "weight": "5154325778317701"
  },
  {
   "public_key": "a5eef6f6364bbb8998daa6547acf91434ec661c2b7fb8c45a55b80266f6b2a84",
   "weight": "5154325778317701"
  },
  {
   "public_key": "c64dbf60fa9bc0295fe44f978346091a373abcc7825de51013366f51701fd774",
   "weight": "5154325778317701"
  },
  {
   "public_key": "548818e6e249c95067804a81cc710cb03190801cadd709df3c2b009f52cff7ce",
   "weight": "5154325778317701"
  },
  {
   "public_key": "36f7d72b8638d973e81d5d6aa6a2e09d9e5c6a6a000beed5e29718f3ba9ffe7b",
   "weight": "5154325778317701"
  },
  {
   "public_key": "d49910e8d5cdb5d5388b27b5c2e5b6fe3496d6592f87c84be2d163fa9a0b81b9",
   "weight": "5154313179209805"
  },
  {
   "public_key": "55eeba67d8e6436a327b3507f534e86af8ea521db6360f5af71d424393c1ce97",
   "weight": "5150755191139908"
  },
  {
   "public_key": "87f4b1ed5d2e32f51a5338cc5320f3013af37024c135f8b106d8aae6d3ab1e3d",
   "weight": "5150755191139908"
  },
  {
   "public_key": "ffd9032bea5a69b5a8760194bb8dce90d6851b852b68636c807da452970635ea",
   "weight": "5150755191139908"
  },
  {
   "public_key": "2fa1df637b75fd716ab3b13289496b1df188e048c8c4f1263dbbffabb6f2f106",
   "weight": "5150755191139908"
  },
  {
   "public_key": "93d0858727a4aa1d0dcd94d6e7be7ab879963442239e9adad4573dc993fbc3d7",
   "weight": "5150755191139908"
  },
  {
   "public_key": "2ce1e4d75803e0b5351cda92bff3f166ba8e142a3e32868b01335c9b46e31a03",
   "weight": "5150755191139908"
  },
  {
   "public_key": "356650533dce2fc079eba76c8161935c8a6cd50042943f207db6d168bad92210",
   "weight": "5150755191139908"
  },
  {
   "public_key": "1d2aaa4b863e18290f636615ec629e3a6bb2a7d9a50567b8c89bc4992753794d",
   "weight": "5150755191139908"
  },
  {
   "public_key": "16479a77aa675a824cc0b4f5ba4a1fdb74ed267f65b9dac59e82416c0971c3c9",
   "weight": "5150755191139908"
  },
  {
   "public_key": "3c3accee30a313e7fd21c6e13c3d7788dbab5e6e5ffc435a0bcbb426cbb88cec",
   "weight": "5150755191139908"
  },
  {
   "public_key": "8b54e3bfde99d5e68c0317a8d3b2543cb4b771bdcac935f7b4dbefc6310bd215",
   "weight": "5150755191139908"
  },
  {
   "public_key": "46fec1085295ba496a624dd5586de581dd9024ec7ee67c2c6f5aa75d932e7c53",
   "weight": "5150755191139908"
  },
  {
   "public_key": "10dd22d4ab860612347b8f1160e271bff7ffbd394a8525545a3f57d1aae68712",
   "weight": "5150755191139908"
  },
  {
   "public_key": "c961e9038dc6e41f31b3d5d6bf37450a73841eda49725707a73d0a1f9aa294f9",
   "weight": "5148625941905444"
  },
  {
   "public_key": "c2aaf619a134e8b97039a892f0301e7b03c1a74112592360610e2f77705d42d3",
   "weight": "5148197572236972"
  },
  {
   "public_key": "27fd2e52383a0a047e67354569374f6203baec1976c56b5950a3ea9703d372b0",
   "weight": "5138370277023275"
  },
  {
   "public_key": "1b175e9d94b0573e98cd3c30d8f2e06ce3b385208c77cc23d70e0b3b61c523de",
   "weight": "5134540148222820"
  },
  {
   "public_key": "e6b6a7b1e00bcc81b11c7ec005cbcc29ca69f0a155f4509ac895947673474cc2",
   "weight": "5092592678393095"
  },
  {
   "public_key": "1d453eee4f5d1866769f599a05be1681d5fcbd3ccd38742a13af715fb9400306",
   "weight": "5050056360404281"
  },
  {
   "public_key": "92aaea079a23ea064610b6beba2e8b840ef683463bb62e2a52400e04807638a3",
   "weight": "5050040098755719"
  },
  {
   "public_key": "87b473fa604a7d4eb3e90cd7b61637cdb1d107b4e8a2e582475dfabc6bdcb960",
   "weight": "5041354183005430"
  },
  {
   "public_key": "a0373508211ae8f969262364341fe3c0c16138b87a9383bfb38d8d106bba16c6",
   "weight": "4865119333095071"
  },
  {
   "public_key": "dfce1edac2ca83f82e226b1c554cfdec82ce7cd779096c72708cfdaf7f403524",
   "weight": "4865119333095071"
  },
  {
   "public_key": "7c63ac4b790c0cdcc5de05ec2b0333d443ca9d5dc4e8db988aee64174071e7d0",
   "weight": "4865119333094615"
  },
  {
   "public_key": "7df3a039630ab9e3e9b193d9285e11b1129b3651248f67020e809a616cf34d05",
   "weight": "4865119333084120"
  },
  {
   "public_key": "d49f569fdb4fd045d988f6ed77430defa44da3ccd8b3087df73568d84562dde8",
   "weight": "4801904598984675"
  },
  {
   "public_key": "4b5b086bd0f99b09369bf60bde02d4f7437ad32030269ab109b4f3b2b941a8ae",
   "weight": "4789301856035248"
  },
  {
   "public_key": "641ffd051c2c091f4b0236950df3130b425f1be37b0c126cf4b4751439222e4a",
   "weight": "4789301856031556"
  },
  {
   "public_key": "ef9668f0c5eca19bc35d9ef246dc824f83889bc856c965698a6602e510795bc5",
   "weight": "4789301856029709"
  },
  {
   "public_key": "abafcd6337462df017a60e36d79a4cba5cbf40844de538a462af5da582f7d803",
   "weight": "4789301856029707"
  },
  {
   "public_key": "201b44f667fe1f9b39a329fe50b278a11a6be6836c23313e48fac8720f5c1240",
   "weight": "4789299265612320"
  },
  {
   "public_key": "3f2cdf7caa1b44a3aa6323159a447caa61fe867405c4be7540dbbb35955e64bf",
   "weight": "4789121504332099"
  },
  {
   "public_key": "312e46c531f193211800314abf9efb8c6a3bc9d9007ffd6c9f3c08fcd476a185",
   "weight": "4773301037498181"
  },
  {
   "public_key": "2eda9eda35cba5e3a89b6596f850ca88168b0d2d501ea10404d0819756626292",
   "weight": "4745159679046517"
  },
  {
   "public_key": "8dabc64a10111bc1c4e7494cdd17e5079b988c2382daa7ab344c13d223e30603",
   "weight": "4467742433155530"
  },
  {
   "public_key": "a87ac79e18291440fcd39c6693796d0487110230bedb564423a0dc582c6c4945",
   "weight": "4387468249014442"
  },
  {
   "public_key": "4f9dc94111100abd9f15b6a3b9ad011888ba0a181d90c83ddfe19d32122756d4",
   "weight": "4387468249014212"
  },
  {
   "public_key": "e5ec38fb04088518c4d49971c71612679902900c8668a1b98fcbe6f7b115fb2a",
   "weight": "4387468249013756"
  },
  {
   "public_key": "4058fe07fd3afaab4d368a07a62cccc1fb91840f27b438bdfbfaeb7527433d88",
   "weight": "4387468249013756"
  },
  {
   "public_key": "a67903463e8bdcb1eb6e9e7465655a035e14903a2acedb66011c08fd0ff5a564",
   "weight": "4387468249005307"
  },
  {
   "public_key": "62a6916cacad433a1e39f7700e607a0fadf90c231328dd794c31d41b2d0714b1",
   "weight": "4332977344399608"
  },
  {
   "public_key": "b8cf4caa230a961aad0f5a3eb6ed91a0e0d2fe508e41cca79a3826b5c46d6041",
   "weight": "4284803386502197"
  },
  {
   "public_key": "2067fa2ff223a97a1d9a67dac8afb98884b3695749ad79ba31dbe185cea037b3",
   "weight": "4282857005979033"
  },
  {
   "public_key": "ff2a9c57d8fac94da1e8c933229f768d31c1fc47853be8cbaf173d188021a372",
   "weight": "4275810143285864"
  },
  {
   "public_key": "8b168409bf1091c31746049990268cc9f253e2aa85ca89915c2456393d52e200",
   "weight": "4275807623464285"
  },
  {
   "public_key": "5cd93df154e9316529c0c3dd02c8928554442476f97b94149e078bb27ba85967",
   "weight": "4275023958953139"
  },
  {
   "public_key": "4da3bbb63f5d0965dd6e6b14f958c71c4f90bdcf69a6b25bef392dfd90e25e89",
   "weight": "3986621385522126"
  },
  {
   "public_key": "33943f8dbb46f6ab5da6d3379988fe70d8b38c76785c6bd32d2e86c6ed7cbf69",
   "weight": "3943495864624892"
  },
  {
   "public_key": "5a505dcefad7565432e9706ad6a46412fd801728fc308ffa005935e32abf82ac",
   "weight": "3943488161593645"
  },
  {
   "public_key": "a9cbcb23d6a4c436d26677590cdf86ca3a07bfaef3b9f818207a6127c690c38a",
   "weight": "3943483209733678"
  },
  {
   "public_key": "47ae2f21edc0cf50c7b36ef964c2ec8aab009229becfb80f2dbf27b646bd9391",
   "weight": "3883928292546000"
  },
  {
   "public_key": "44d87bf8ba8ad513de7d3acb6fa94fad22e8fc340cdf75399d7873fc023095c3",
   "weight": "3726909811097546"
  },
  {
   "public_key": "7844d5e8de26be54ccc07d052bbe419dab7b23380521f56ddd0607c5c3c39f7c",
   "weight": "3685770533488195"
  },
  {
   "public_key": "8556f27c53c65670666fb41df455cac9b9865d8f0e4736a1597bb30ea744253c",
   "weight": "3685768014363748"
  },
  {
   "public_key": "5f1eda716d5431fa7cbd51e2627ec3c4285e0260dc92e356ebfcc6c5b18acdea",
   "weight": "3677208791072814"
  },
  {
   "public_key": "e93f89bf8efa2d3c621746a42e6089039f086cb9cd10ab530cc5adb0970d0549",
   "weight": "3649440365717622"
  },
  {
   "public_key": "338b5032cff83b69b7c4142ea46ff38cc61091849a7e93761ed265314448d392",
   "weight": "3609778462924032"
  },
  {
   "public_key": "7a4583b3a5fa523c942a2122f1e3d1a414f6a473900569111800f9fff23ed566",
   "weight": "3603566602622199"
  },
  {
   "public_key": "670148ff8846653fdef374575359527232ac8ed44bf2979afec34f180298f292",
   "weight": "3560415859081328"
  },
  {
   "public_key": "db5458b154331d078f1d1fc0f13a3f60308bc2a14f06d3fbc1b3fd1f7102b74a",
   "weight": "3559164777431772"
  },
  {
   "public_key": "44602fc0b443481f0f8d59b723e1cc88fc4969130e1501a330db9fcf0d6dfb3d",
   "weight": "3541080067100032"
  },
  {
   "public_key": "93a72564e5cd045205b84a7f4eea9985b65d762c29dc638d190a052f020d6a53",
   "weight": "3518310675096251"
  },
  {
   "public_key": "81725a328eed95544667659b73001d26de155d2e80bf74afca40622c9e493221",
   "weight": "3511377604128852"
  },
  {
   "public_key": "c416da6e04f1b189a7023b1cf04cedf3fb79e511254962506fb2b8124df264c8",
   "weight": "3500414996275957"
  },
  {
   "public_key": "0f2e11c9f03956f7ec323723174b1ce2e7c6d9bbb4b5face125af455fdb209d8",
   "weight": "3500414996275957"
  },
  {
   "public_key": "597f03932ec36db08dd52d6d8f0f68ab87e00e8d1082b5a508c4b5357704ba2d",
   "weight": "3500414996275955"
  },
  {
   "public_key": "fa0ce38213f9f1d6e7d4bf4888f5fc6d711a31a6cb1aaaf0e7cc14d4abcca36f",
   "weight": "3500414996275501"
  }
 ]
};

/** `mainnet-2020-04-06/block-3082200/signatures.json` */
export const ORDINARY_SIGNATURES: unknown = {
 "ok": true,
 "result": {
  "@type": "blocks.blockSignatures",
  "id": {
   "@type": "ton.blockIdExt",
   "workchain": -1,
   "shard": "-9223372036854775808",
   "seqno": 3082200,
   "root_hash": "ItbJ0QFxyhABCE30E5pqJ8WRBGbzh6GxgiaWRyIGo4M=",
   "file_hash": "G6gHdcxFTDCzPyi1cc2c81kBaXyTldtJLrh00HpxN0s="
  },
  "signatures": [
   {
    "@type": "blocks.signature",
    "node_id_short": "eVmKMrpaKdIKjWINj/Ow0Agl3Gvs1AHit9cg9LdYwDk=",
    "signature": "ne6O2dQSYsOm5VCV8pjZQVTdLJle8olASgMu6CQn/gXRaYmKcCfkpTdXwtlT3Asgd89hzWvy355JYtobfbXWCw=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "JVneLzaFaDGyPpC9Dqdwb95ZqnOh8rARNevKYXkZodo=",
    "signature": "YZvDPn3rARlO7abNoRATz8Y/I8lW6LLR43VGdkPIGlyRsBD7NDROujDtbUxASACrMB6Zg/2R1u3OJl9RR3kwBQ=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "okQs7kaCaW9qJeZs6dGtK8UZevPg6LyZBoTCR1rvqnE=",
    "signature": "PO1EHZ1T5QOJ+CFqSh/YNwjq69ao+chlCwBd1L78YMGjbiIM0ddLd1O9ykKWJgDNluZpIU/uFexLDHXtZkMpAw=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "einHmr9dlDkodizHT4eCX2Wdloe1gzdIN2dgC3xZWbg=",
    "signature": "IAbWlNUesy0MK+adY42RpdiElX3WYbomBweF03bQN8mvZKbOt08WHLUbHT6p7Y5vVuDTmb57QmYUhenXJpFqDg=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "y0xxkiL+G3M0ZZ20HsPSwN2Tdefhv0sNIyjlbdY+v2I=",
    "signature": "6aPeMte5wIwFyO4TV/MOsWhn1ClESDhR5CEqf3ruzo5etMZAds/DPB7+Kt7ORjDagKW+UtYAJg/nSrJ00PkAAw=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "pOcA7UhCS4XkvkWMlDjRVLSY+siEuVbFkcY+qa0CWP8=",
    "signature": "VvPre0agnWbDlltv5ku7e4PLtqwpdF94U/Hi4mwUgaRjiwMocmKQEGBcQx+AjzU+KouMTTC4Bfo8scTIidBmCw=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "I7G+OFFlfaDulxDHJgD6gS4OFYetIMFa/wLIMZCVyuQ=",
    "signature": "DmHiNdfGnWKbjeW6UGQf+vAhGKRQ/L0bnUbZ/OieCLIKdCUmSnNfNhnIRKr56aWv2MiMe9ekmFM2Wzfu5NLPDg=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "ckzKml2z6TKIm2l6OEBdG/FqSdXqP6/QOyjgGWLEkSI=",
    "signature": "LfqbYGjtHh6LJtyW/UCVFb7eqwPknyBEK9Ya0Y9pfOR0QjrBRQ1wvNQMTBQ4jV2+eDfo0DnXQzx8lpduLJvfBA=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "4d4NKb2Jc8A+H7vDsY18tgy6qJYTailwhvDhuGCgIkM=",
    "signature": "pH4QVsrWKGYu1TWvCcWZHixdvA1fYDUlLyPn60Wt3C35T7BZu+/aluPuivo9GsAyA/iAsRl9Y7YrpkUwiMI5Bg=="
   },
   {
    "@type": "blocks.signature",
    "node_id_short": "aqQRUJ6cvT+CRfbhrLXlbFNth9OY/09/gPm0npNzGkc=",
    "signature": "JXijc2T2ExcWLJabKx2z1QIiZwO2mSsnk8u51HfF29w9ERlZ5t3js2NaOEhq79boKaVxI6bMJDnXBEpjwonZDw=="
   }
  ]
 }
};

/** The first `main` entries of `mainnet-2020-04-06/block-3082200/validators.json`. */
export const ORDINARY_VALIDATORS: unknown = {
 "utime_since": 1586074020,
 "utime_until": 1586139556,
 "total": 13,
 "total_weight": "1152921504606846967",
 "main": 13,
 "validators": [
  {
   "public_key": "e8e05f9c2968ad4f1dbce2d12e2aa12de6111fa447c143de2d47ed01b5d96081",
   "weight": "135559949279930194"
  },
  {
   "public_key": "fd7c9c87f333ebf8f6c7be4c2a0c146868247304ac8c7871a70f3563cfc217b7",
   "weight": "135533023080847876"
  },
  {
   "public_key": "9299ad0c39ab8de7401d7105008184dffefa62c19d4971d589128fd64d1135b0",
   "weight": "135530779230924350"
  },
  {
   "public_key": "ffad64b920cb2fbe23b511a03c80bf1d3829ea9c9b6d6be4fa57fd6238f6c1e4",
   "weight": "135528535381000823"
  },
  {
   "public_key": "6b178d4b1c147335b2590664335d7cb1f03b0c4f1f1e898692dd31b47f6b7f2f",
   "weight": "135526291531077297"
  },
  {
   "public_key": "4fe0d32ef1d8f6e6a45df78176f9df491e007add2c5161ab965106d710a6c3b8",
   "weight": "134630995411590222"
  },
  {
   "public_key": "1ef4047c7d991912fafe912fd95391c796d02b207423d26f5b4ea62d3dc026f3",
   "weight": "57339340945796275"
  },
  {
   "public_key": "094bc0a8c76eeb3b9642f1ef309bb796d89648282433f6adbe8590a41dd52c54",
   "weight": "57339340945796275"
  },
  {
   "public_key": "d1610eb28ba3b9f5fdd79fdee04472c8ade2bd0398974cfc698adddd63eaab39",
   "weight": "45186649759976731"
  },
  {
   "public_key": "888c0cc815b94d28b0cc97cf964077ce7419818b9954f170165c93c1fee91c85",
   "weight": "45186649759976731"
  },
  {
   "public_key": "6c940074789ed30234f16766e65cccccf2c8e1f93fe59f21af8909b05a64c97d",
   "weight": "45186649759976731"
  },
  {
   "public_key": "4c7dbb286441660d40df6de903991daf237be9431e3ebca248e212baa2d87bfb",
   "weight": "45186649759976731"
  },
  {
   "public_key": "9822b1106280c966fa01c94752f99c798e09acf322345455b2bc923228d3ffb9",
   "weight": "45186649759976731"
  }
 ]
};

/** The header of `mainnet-2020-04-06/block-3082200/block.boc`, cut out as a Merkle proof; base64. */
export const ORDINARY_HEADER_PROOF: string = 'te6ccgECBwEAAToACUYDItbJ0QFxyhABCE30E5pqJ8WRBGbzh6GxgiaWRyIGo4MAEwEkEBHvVar///8RBQQCAyhIAQFjK0Q5pjFjftXUuI5N4Xk+MOf5iYKNhrNl7MVrfJTILgASKEgBAdR9pvYetCf7SYsj+VIzNIakVLmvZpWaZ85CNrw1WRS9ABAoSAEBQu9cg4b4FaRoKfQdMLBg1m5yMQmexfp6S3YIOWuedbgAAwGGm8ephwAAAAAEAAAvB9gAAAAAAP////8AAAAAAAAAAF6Kfn8AAARcE/AHgAAABFwT8AeEFeYbqwAAvewALwZFAC8HxQYAmAAABFwT0YMEAC8H11s0OyohRy/36eZfQW7yunuldooWCnOsywY/qrgiyDItpJU/ycPYNFbeD3nRELbP7fhY4LhlZlpooZ0HM8qzpTQ=';
