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

/** `mainnet-2026-04-simplex/block-59379986/validators.json` */
export const SIMPLEX_VALIDATORS: unknown = {
 "utime_since": 1775718152,
 "utime_until": 1775783688,
 "total": 368,
 "main": 100,
 "total_weight": "1152921504606846789",
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
  },
  {
   "public_key": "950bf8dc368704fa72bf9d64f4d9054c91f4a3277b66610ca7813c696fb499bf",
   "weight": "3500414996275501"
  },
  {
   "public_key": "4e6bf6acb94aa53b477ac307863400c96ec2cb2d4fb7f89db3efc9092668b246",
   "weight": "3500414996275045"
  },
  {
   "public_key": "d7366bf2c12388dbc0e8955ceebd0bc65956dc50d6b8d3d3b6a4b0aa73e25527",
   "weight": "3500414996274816"
  },
  {
   "public_key": "5cf6271948da18283abcfe16867b89af79eeb03686c7f4062a8780138f871ddb",
   "weight": "3500414996274816"
  },
  {
   "public_key": "ee87f6207a183eccaa89daf9af07b4608074c407fd84903325f9cb48d95a2d36",
   "weight": "3500414996274360"
  },
  {
   "public_key": "c7c86760cacfe5e636f7d083884b66536422a5fb934a5434341fb63d57e3416b",
   "weight": "3500414991146502"
  },
  {
   "public_key": "f72aa68d7deeb19ce9fd5d933f9b33426d366987f1708e14b1c12dd9252140f9",
   "weight": "3492729402058054"
  },
  {
   "public_key": "d16a437655e250b704ac85831d45fc6c18a2fa5624bab055d25e44f109205171",
   "weight": "3442832723834180"
  },
  {
   "public_key": "f97f55f6cafff644f0a58e74e7e7c9e36ed6c28679317f95b40da4b792f217b3",
   "weight": "3437902013966201"
  },
  {
   "public_key": "70d5e616169e9842983ccad7371feaa03c3310f8678db15df1242b4835f5cd82",
   "weight": "3436959019732955"
  },
  {
   "public_key": "ed75ebdbf65cc84b5556eceb6c4871ac1624486300b83a286f4fcd18e85d92ec",
   "weight": "3398932419996316"
  },
  {
   "public_key": "1f9878f9b85307348a67b083494985aa88936f9660ed623c29d278794661dead",
   "weight": "3379886884477931"
  },
  {
   "public_key": "ed30131c2d46d1ddf0207758fb515ecfbbb40d55084a8e77a7055bc823d21a66",
   "weight": "3376561416299983"
  },
  {
   "public_key": "bdf18e9188bad2c7154188048674f23a3ce48de1660f4e8cd106d13939120e5b",
   "weight": "3376561416299983"
  },
  {
   "public_key": "c0570ba4adbb51b6d681897427895d33ffeba89bd9b1d0913a2edfc08e488298",
   "weight": "3360774734106001"
  },
  {
   "public_key": "4537403b2dae1fc6cdfab9bca502af90a5fd4449af8f91790da3e3c73a9277ed",
   "weight": "3344772984353363"
  },
  {
   "public_key": "69c9abe6447ad6f7148be2a185fd053864427145805fe7a57b936d96c9c669bb",
   "weight": "3294778799684615"
  },
  {
   "public_key": "a70e9104729247a8e50796104add66289890e71ccc1c5c5686dc9c49117c6778",
   "weight": "3294717368559128"
  },
  {
   "public_key": "2e46d232cf4e0450a506927addd301b7b85f76b8378a225a5974dd351caff55a",
   "weight": "3289179043574856"
  },
  {
   "public_key": "d7de7e240413c61d1682ed8bf4751a2db93813b1ea42a3d1905433f1235bf8d7",
   "weight": "3289133686786429"
  },
  {
   "public_key": "3ea7d088baf9b0688ce7e2531f62c4573bfff0ae7a51d91ae412071b37802389",
   "weight": "3286846696780998"
  },
  {
   "public_key": "524f38b9aa94fd52c452e1f04d65aa50d41b77863b297456ef16cce2ee6fcae4",
   "weight": "3263411874116393"
  },
  {
   "public_key": "e9c314025698603a89081d9f2925d88688eb6a0965dc0a7c2f3658b25c287642",
   "weight": "3104420694686673"
  },
  {
   "public_key": "9c1260e715330278f04366c8dcf7911a90a4118f228724f5c6f78151d14a03ff",
   "weight": "3087228790988258"
  },
  {
   "public_key": "d31b2d40543525df5be0b59bb2809ed9ddb774e3c02b5c1cd01b64b78fee5952",
   "weight": "3064715101853088"
  },
  {
   "public_key": "c7050698f7afc9a2dac94eac87afc6117425dbf028747ff9bb4370b55e837bae",
   "weight": "3035208755369495"
  },
  {
   "public_key": "2fe48fc4f0c2897c5561e44abed63e7594de94b65ad1da374683f61acff77629",
   "weight": "3005307826515160"
  },
  {
   "public_key": "35091f8025c5f2a0fc3a8e8cbc892a5247cf5ad63e7adcd9f557bcdf9bcc9f9c",
   "weight": "2997011726969661"
  },
  {
   "public_key": "83281e9de9bc86c45123eb864664936475e35f3d993aebbfa80a2c278745274d",
   "weight": "2994981839213923"
  },
  {
   "public_key": "78f7ba40a31ee65a429562b9f4331f120c313d55daa07d3dd1d10cdd9a340411",
   "weight": "2994934797341612"
  },
  {
   "public_key": "e74f7bebb0bfbb5f48229b3c52e4dd07eab9dded5a357a2f8772a2704c6dbba0",
   "weight": "2994934794744499"
  },
  {
   "public_key": "cb0acf39ac39dfa6cdd0af435eedb73ecf820269c112a194322d5ba62a0e1aa1",
   "weight": "2952548528283876"
  },
  {
   "public_key": "8f7c290a237fdfde075b22b3c7945937ca65155e5b2fbeafdd690e9ec09dfea4",
   "weight": "2952546008462297"
  },
  {
   "public_key": "2faa018a930dc9e2587e9d2fbe723eb7cae60e6bf516e40fece82762ac7b605b",
   "weight": "2940194515820735"
  },
  {
   "public_key": "181851b72ae934b8c37d19bd6018772e9d9714e17edca7760177ca4edf067a92",
   "weight": "2878641652310206"
  },
  {
   "public_key": "72bfcb3d0e722dabbc1ad7ca02d73788fbf64be0fc8cd8ea002e8840b61e4819",
   "weight": "2853527090738840"
  },
  {
   "public_key": "95720d48b33905c3056fbfd91875b1c628bd85336c648f70b79cb67b0775098c",
   "weight": "2839522027246283"
  },
  {
   "public_key": "cd71387c50dadb020967f84cc8137dda9eecc74d33942d94f7fd5eb0fb6f05d7",
   "weight": "2838440418834899"
  },
  {
   "public_key": "6841e8ef8cb5f54886f825f832583a9c8e2ce6ca8b75a158116e9b30d262bc40",
   "weight": "2831483691563587"
  },
  {
   "public_key": "d530065cabcde81fc04f494f7747dabe78d9d7bf880ea811b12d692adabf9ead",
   "weight": "2814408954645334"
  },
  {
   "public_key": "ed6f08f6ffd4e3b823122572c97566118cb5c2709ca244bcad4f03eaf4c93910",
   "weight": "2804561917810912"
  },
  {
   "public_key": "60523f7fb77a15066770e79c22bedd262c64e31b57d2e9935421f04f312764e3",
   "weight": "2787857983687808"
  },
  {
   "public_key": "1206da41b35439f30caa662c7956909644b8ff608d64f4cc017d3b964eabeaad",
   "weight": "2784143803554273"
  },
  {
   "public_key": "cc5e5af085df8bae93e3b5f98a5ab07e085ba2a7a5eaaf0b7dd9b9590fd7ede8",
   "weight": "2784143803554273"
  },
  {
   "public_key": "8e3182d5de7ebcbf78f258c881d221981c90ecb6e9906c08c3f7348b99ba2393",
   "weight": "2768677318978933"
  },
  {
   "public_key": "d993eb419e7277bb09d76d7859d6b2262ca704a8116cf693933cb732710463e4",
   "weight": "2741143268747753"
  },
  {
   "public_key": "aff15e046a753a6c378b470151f10fb8c723816d2097a530ff59985af6295c93",
   "weight": "2738328416545771"
  },
  {
   "public_key": "6569f5b5973f7f75140a40be4cb9447913b3de977b3d7e7275e4d925b450131e",
   "weight": "2738328416545771"
  },
  {
   "public_key": "fdf646a76f5b9fb21f831ce9a1fe70d125529019ff2aebc0cfd3400311dc4be6",
   "weight": "2738325896724192"
  },
  {
   "public_key": "ecab7347f2515296dab8d56a67a7d376573a1cb0095945ca1ea61e041371755b",
   "weight": "2724755964493801"
  },
  {
   "public_key": "30b027feeb3ac1889def61a1b779d5a8d853f8ebe634607bbe9125ed14a5651d",
   "weight": "2724280843622149"
  },
  {
   "public_key": "37e48eda08861b8e7e0530ee288687650d77b1b6a31ab22646822059ae25c965",
   "weight": "2724064675427914"
  },
  {
   "public_key": "dfdf98f8aa8a5f552c5b18d3f4071cd76e485d0cab763ea77259052c6961db4c",
   "weight": "2724064642392988"
  },
  {
   "public_key": "dc90b41156b9734d1be2302633e18fd6943b44fdc3b2620175e0456b191d3ac7",
   "weight": "2724064634544051"
  },
  {
   "public_key": "9343593042dfdd6bf76fdc10a7f386ef3f5299c478d037c5c477b0856205ed8b",
   "weight": "2724064632380535"
  },
  {
   "public_key": "a06a0b446796f073ca196446cbd55bc6814230a5f34a0bb2980cbdd041e84edc",
   "weight": "2724049288017265"
  },
  {
   "public_key": "c1ccf14d68e435a4aa53b667bee5b4fcb59c6c3c1237770cd15d325de1f046df",
   "weight": "2724049190530420"
  },
  {
   "public_key": "1271250f960cf747c4620c36d649caa657dfb9c3f3a957ff3141cd0aa8160857",
   "weight": "2723705017034223"
  },
  {
   "public_key": "d401c155fc1eac9fb24a5064bb736a7bae3a94acf290adfea3ad1108884f2c7f",
   "weight": "2723614255694658"
  },
  {
   "public_key": "d80277826a0676b857ecb7635cfc4171fce72cd55b202eee36bcef4d4dec8705",
   "weight": "2715435916149543"
  },
  {
   "public_key": "13b8afbc57c390bd41258bbbf139ccf5654bdaae233403056b690289e08453d9",
   "weight": "2715435047648173"
  },
  {
   "public_key": "fc7bced65fd8167fad7440849ab18d16aa68af747324b0ea3def6a7ec975ee37",
   "weight": "2715433992187403"
  },
  {
   "public_key": "ebf64638707a884938af598207fa743a326e839de51da32d9d957788eaf64f4d",
   "weight": "2715201072665550"
  },
  {
   "public_key": "5a5f27d6ad12ead29aa3acc85efc773729d2e4d7badc1410a14ce55fdd5a1000",
   "weight": "2715149233388962"
  },
  {
   "public_key": "710ea1a606a7409558087da8b731babe49db154112585826c67f3d432655fc18",
   "weight": "2714928916509246"
  },
  {
   "public_key": "f172ca18ff729fec2c199acebc6e68852a5d385512d6a0570b87b970416abe82",
   "weight": "2714925986772075"
  },
  {
   "public_key": "b9a8685087f6adbf6a83af38800f749e8747703098ab44b75004c22d6fd53b91",
   "weight": "2714925726165286"
  },
  {
   "public_key": "bab3b9528fdc2d740a104119b65e0834637e8a178dea1b4e7e29b4caf6777c19",
   "weight": "2714925638324205"
  },
  {
   "public_key": "076497bcb1e7e81fdfcd8aa6b15881c22b6e66b84f902134d798d66d58e1274e",
   "weight": "2714923931250696"
  },
  {
   "public_key": "ecd99da268a4d4e27499bae1198ef0d65643739026e45164cc87e79d6c023f08",
   "weight": "2714916418010492"
  },
  {
   "public_key": "d70f7a01c3435a4625442f406565843b7316aa12140c48af0bb06233bc183f13",
   "weight": "2714227415130662"
  },
  {
   "public_key": "74b5eebc2414c637b65e2f5f3e5e2008646ba8a2bbd083d18fa7007ee02f8a1c",
   "weight": "2713205443751294"
  },
  {
   "public_key": "d055d288c2ea73523015abbb473f3a48e5d2a5c3600ad1ed7b806647ece23cd8",
   "weight": "2691544455464483"
  },
  {
   "public_key": "df9324cc7d70ab59178b21acd067ad1aad0144ff64aed375a5405271f56e9e24",
   "weight": "2687780786720709"
  },
  {
   "public_key": "6c5636d23e832fe97402d28a5bc0c9e7dd35463f041066510de2764c3e10fd74",
   "weight": "2687780786720709"
  },
  {
   "public_key": "b5d4d6f19036d6f69ab4f54d54e76d6e7cb89b2e151d0ec360b54cb1a8e69fa6",
   "weight": "2685612798812797"
  },
  {
   "public_key": "6ca35cac03b07670b159fc582c47eb0f5ee5ed4900f7930fee9e4e5fcdad0c6d",
   "weight": "2685612798812112"
  },
  {
   "public_key": "07a4e14ab411f3e0858543b52b959bfa11eb3df021c5f911a3640647cc33a6c2",
   "weight": "2685612798807316"
  },
  {
   "public_key": "1aa349865e585388fb9dec520bced8b05109712b4cf200a36371cb6827aa5544",
   "weight": "2685612797244024"
  },
  {
   "public_key": "1706882127d660cc71bb04149e75e40252bf78c2e71586f5308451f04afba9e8",
   "weight": "2677409201100528"
  },
  {
   "public_key": "c32f7416353f06dce3c3c477ef5681a8c6ee8df30451ac65092ba8b6d1af9cbd",
   "weight": "2674455979155018"
  },
  {
   "public_key": "979862f9730709a0542e611121d74ee8934d83ab89c4cdc0d70ff3838ef136e9",
   "weight": "2674453459333438"
  },
  {
   "public_key": "135c4871740ce2e20b032aad2f13be2bfea5653e144e31cc97f0b657a363f260",
   "weight": "2672151186176612"
  },
  {
   "public_key": "21e44dc06d9572bd4906079654c2fae9617864a4f7d1eb9adc159736a728173b",
   "weight": "2672126978345372"
  },
  {
   "public_key": "781aad87a49cc654dd50b8579c6279867b52f3caf4008dd53bb23f492212e655",
   "weight": "2672038261613882"
  },
  {
   "public_key": "323b053992fed256e7201ef18505769549aaa0e372a21780072f8893ee617f79",
   "weight": "2654310579278866"
  },
  {
   "public_key": "5cbf7c887b7c8691e9f026b6301491854255d63f49d4df300914c79ff11609fa",
   "weight": "2647398246781124"
  },
  {
   "public_key": "d43061f36afa74cde81438519ccb753964830a98001bec127edef8718ab33bae",
   "weight": "2615572279436818"
  },
  {
   "public_key": "ec4b7c7565705dc6f787fbc23b53f6a77648eedf1ca4dbc2588632ba2d60e1fe",
   "weight": "2607488041283194"
  },
  {
   "public_key": "4457e8b04838625ff3bb6f16a79062b235601bf98547da98c648d18a0f1a46a2",
   "weight": "2607486326694103"
  },
  {
   "public_key": "1cbace91ec4b98ba7b7e087c7b35cbae7278f0db4ee9353599d5f94dc273b805",
   "weight": "2607485901862523"
  },
  {
   "public_key": "8833241f2efe9629b0e76909c917722da9264588341c15702596ae14c0af48ce",
   "weight": "2607485632128759"
  },
  {
   "public_key": "4e66e4c4d59696bf7215a319dcf1a1e2470ed634d410905886f592997cf6b09b",
   "weight": "2607485631148526"
  },
  {
   "public_key": "6c0fc6103dd750c5f8db17079dec2dbf732e24d771bc0e9fff6ef42acc88b26f",
   "weight": "2607485349720837"
  },
  {
   "public_key": "27331dbf48f8e7e3d649c807f3e84ed8ae1d1b05c9bb1282c8a9f6614d61b4e1",
   "weight": "2597936548312657"
  },
  {
   "public_key": "d441fd0ff17db135361da2087aa3ad67990dde696eeebe6ff29c764e54da888d",
   "weight": "2597936548312657"
  },
  {
   "public_key": "209876f8f3b295b1f6e532f9458170d5db9066b0406823f3ef5ab2c0253b5815",
   "weight": "2590190616778052"
  },
  {
   "public_key": "2fb167831787d7daee4e5cdf5c41ad48df1dc24ed10787cf829b11397c64b1d5",
   "weight": "2590190616778052"
  },
  {
   "public_key": "b108d57848d942f4ed10a07765542496f31bf6601ea1fce627209fa99d6ee1a0",
   "weight": "2590172978026997"
  },
  {
   "public_key": "8f99eb5602b42f1e72dc7c3c5edc8a20478c1aec8abf1ba5ec8e34ed3b913bf9",
   "weight": "2590172978026997"
  },
  {
   "public_key": "6d67c7f268368a597d395cfe6d44d06a5039efab720ce0f14426cc3126aea471",
   "weight": "2590172978026997"
  },
  {
   "public_key": "9ca25e17c453b77542a4d31501af01a24d3dc29fd2e518e65fb6fc899d55126b",
   "weight": "2590172978026997"
  },
  {
   "public_key": "a5884753c09e71674194188f48eb08e9c5b7c003d21193da1602aee3b310e304",
   "weight": "2590172978026997"
  },
  {
   "public_key": "17a5ae048ff75a66f74df918f283fefa6dc05e33fce44854b31eafdfd6d344ef",
   "weight": "2590172978026997"
  },
  {
   "public_key": "9f558d9940d5802d261e15009a98baa6a721e6f441d8eb4ca019ecccbae5be79",
   "weight": "2590172978026997"
  },
  {
   "public_key": "335b0dd532f8836da2df70dbb907d521216cd5df57bdefe5182902dd6b5471d9",
   "weight": "2590172978026997"
  },
  {
   "public_key": "62c9d3c894fa0c34f125be228f68f990bf9d3930d978649ce0ef98b2f6d6aa0c",
   "weight": "2582077472847454"
  },
  {
   "public_key": "4a1a1d4f1c3b4284ce699d61a2c9068130b2078e678dd966d9cabcedfaf3667f",
   "weight": "2580746325499034"
  },
  {
   "public_key": "23e9cdadb9af8543b8651212ed09461eb47d6f1a5548bff125cf57a29aa0cb82",
   "weight": "2580746325499034"
  },
  {
   "public_key": "1668ca52a9d91eaaca8ab77bd751045b781cdfdad133eb874b22593afca9fd95",
   "weight": "2580746325499034"
  },
  {
   "public_key": "78db23fc6cd441c86b87b97ad54cca00e7d1912c6417067b86dd7ead45eff21d",
   "weight": "2580746325499034"
  },
  {
   "public_key": "87b477204e23de49d67ba5926c915dac193212c2346ad03be9d80d8818dbc579",
   "weight": "2580746325499034"
  },
  {
   "public_key": "89d6cf5c31dd31a484a4ac6966dc7892035a193dfcaa3e849fbe70998eb5f719",
   "weight": "2580743805677455"
  },
  {
   "public_key": "c117c9f8d1f46c2ad0bcce405d8a77c1af341285ec9b176213c15c7bc7549dd0",
   "weight": "2580743805677455"
  },
  {
   "public_key": "1b805224d817adeef9cd8660895b6c6e1903e54167c480336b7c4fa28aaa76d7",
   "weight": "2580743805677455"
  },
  {
   "public_key": "804880ba5ffe14efcd33b3121cfe320ab3c5d4359ad48a0b63f793b56c115918",
   "weight": "2580743805677455"
  },
  {
   "public_key": "335d66ac3248359501cdef0a355a9745c3a98ac59ae6c09524eb01937c122d1c",
   "weight": "2580139048498435"
  },
  {
   "public_key": "eb0e311d657adbd970d8789223f9bec9314225454154ca938713cfb6168496ae",
   "weight": "2577225982228348"
  },
  {
   "public_key": "fb399d340854df451a1b1ba8dca035b4bb39e221a03d9ea559c2e63feb0bfb30",
   "weight": "2577225860938037"
  },
  {
   "public_key": "10e04f969b4dccd98633e91d66e72427e30a44cf430d57479d79175a8a818e84",
   "weight": "2575767158058442"
  },
  {
   "public_key": "36613bd4213e0e7277af891ad039a54ca247e6aa42f3db8bec4ce75d7d471afe",
   "weight": "2572738341465553"
  },
  {
   "public_key": "f7b0cb93e58d356748a983eee6e40a250eae6b9c97fb0973d9ce1f66dac77cc9",
   "weight": "2560922889135098"
  },
  {
   "public_key": "17690d428c4b2b337739b53316e90dc58eb002676e64a4d820ab360840cc62a5",
   "weight": "2547540116727717"
  },
  {
   "public_key": "70d2e93f8fcf5cac959651a41ac9ade0335e2646fb6120d160d7a2ac90b93e35",
   "weight": "2545098579717105"
  },
  {
   "public_key": "34258fa2997c43d5ebb6338a6f8b6c339720295acbb6e1973a54ec3da46b8564",
   "weight": "2545098579716883"
  },
  {
   "public_key": "f171c83050b57ef66c4ce1f212af8bcbfcc39f4a06a188f0ce0704455052cb8b",
   "weight": "2545098579716881"
  },
  {
   "public_key": "edfc06e850cf02a7067b6a9eeac58ae75242c5ae7d7da0edb4fe2f0e51656551",
   "weight": "2541849859492788"
  },
  {
   "public_key": "68d0a1028f9f17d17ac88b999038423d72cbee27c516473af856903f3d3ee85f",
   "weight": "2538997965476628"
  },
  {
   "public_key": "8fb535a45ad2dc66b216a0e2df53abd6e06b5a31f916a29c3af7f7634c25bfe0",
   "weight": "2537606415998612"
  },
  {
   "public_key": "962dbd1f1a76d48378e5b263b441288a5163f9cb126fde65375ac9cb0143314f",
   "weight": "2523715269775435"
  },
  {
   "public_key": "27ecc5f2e0732212a2a0d1c64b35bfe4439739467f33bdfd713fa914e27267d7",
   "weight": "2520247102839397"
  },
  {
   "public_key": "bd5bd0d47165e04c0244fed56ba325f9cb113411e6cb8b61ec1a26f54200a213",
   "weight": "2519822088301366"
  },
  {
   "public_key": "a5e557f07d279bcf407d828744cc95359a8edbb263cc413b2cd07a476cb75ab9",
   "weight": "2519819059425432"
  },
  {
   "public_key": "5b140ea7d6948f6c281e2f2a1c13f7e8e7635fbe0ef2a7303c12173c4ceefdc4",
   "weight": "2506167166218060"
  },
  {
   "public_key": "3938d14291db4b843562fe083cc5e4583fcb236fe713511da6398a72a6b492b3",
   "weight": "2505420437824716"
  },
  {
   "public_key": "146994b34226c44f67bc65f4e33bdba7fee3e17111887499ba4821a18b00afac",
   "weight": "2501402192557071"
  },
  {
   "public_key": "7ee1d30965429d4999c95ad9e7992d5a3f51058486201aeb6a7b86e93fd74086",
   "weight": "2494207814031383"
  },
  {
   "public_key": "6aa5048ef03a522c7c7b16bc477fb9f86db25f7b8c7be31131c60b177c5a23d5",
   "weight": "2491915055365839"
  },
  {
   "public_key": "7fdfc99590deb9a12cff76e705dcf1825d23a189f71bd1f7c637cf89f655ed3b",
   "weight": "2491915055365839"
  },
  {
   "public_key": "6b1a582e5612f03a86220fb0396f6109f2d8ac446abba6dfda5a92196ba8b1bf",
   "weight": "2491915055365839"
  },
  {
   "public_key": "6250163d1cbb5bd5aae212e0e7b9b9bb327fab42644dfd20c64f2f1f2dfaab88",
   "weight": "2491915055365839"
  },
  {
   "public_key": "c4202e3bc2c7ac7691b99075f7b73f7d167e0a0378dc881e415b0c98c8ecf699",
   "weight": "2489584229350402"
  },
  {
   "public_key": "4ad5e68c275d2ac2bcdc3d3522c682f991fb8ca91990276f7f3f5e9bac121411",
   "weight": "2477078354852599"
  },
  {
   "public_key": "e2d792467f275dd77b1a8358fc536c71ddd395388fba203fe1d48f1b0756dbce",
   "weight": "2477078354852599"
  },
  {
   "public_key": "fe6da3160e721205316c9cbcecd5098e071bc3c9b9d073abb9f82af12fd37032",
   "weight": "2477078354852599"
  },
  {
   "public_key": "4dbf3b483f20778f4d44402677459c05e006d8751c99b0beccde4284a8813128",
   "weight": "2477078354852599"
  },
  {
   "public_key": "1f7f0841f40d15ba0f54c508527d4a33242a8996dbc132676ad8fdfd1bad1765",
   "weight": "2477078354852599"
  },
  {
   "public_key": "db9fa31d50856e385ca00b97907ffd3b6b1fa6b1b33c1f3b7c29c8173a7af78d",
   "weight": "2477078354852599"
  },
  {
   "public_key": "48ae7d6c86240eadd9e2dd1f123ce4393a8d27af53bc797fad2785cc4f25772f",
   "weight": "2477078354852599"
  },
  {
   "public_key": "fed6ad1bd77558e34eb43337c322cc4bbd1160f0b6508ab83ef7e6a3b9659812",
   "weight": "2477078354852599"
  },
  {
   "public_key": "8932101cb1dcf578d6d0d0a57c998c74f6b271418931580415b9609d5b69ce87",
   "weight": "2471435065077477"
  },
  {
   "public_key": "757c35e898b2625a25068291aaa6a2fb6424c4005a6ef4e861ad9d2de9fa25ce",
   "weight": "2465305789043313"
  },
  {
   "public_key": "d89e2f45c258ba718b1f8b7b7980c2e65ea0343a4526e854cce9d9c4a1465ccd",
   "weight": "2458552117547620"
  },
  {
   "public_key": "e8c807bd3d83389c21f04cff18f90b8301ff4db980bb39d93c5970c078f0d901",
   "weight": "2436667976186215"
  },
  {
   "public_key": "aa1f5bada6b5efb6e833290c53ddf4ebd1be3b41ef879f4ab00e778a5c2a6cb7",
   "weight": "2426238425724345"
  },
  {
   "public_key": "516ce0731b5c6a2d43ce770fdef7c6e2eac8c37b22a8cc2a2afe1c7510204402",
   "weight": "2426238425724345"
  },
  {
   "public_key": "0c42195db13ead2a9cfb290ac7f0d85606157730811dd500586aff314523b5b2",
   "weight": "2426238425724345"
  },
  {
   "public_key": "7818e4d1d8bf1914eee3a81e349d4166409e7378c1d3bd4414d345755f4a8ecb",
   "weight": "2426175430184864"
  },
  {
   "public_key": "ed667c833711886275df9a5922bba1015d442ebbf5aa14b53123f11ca563abb8",
   "weight": "2426175430184864"
  },
  {
   "public_key": "8b6ee9953b42d2da236a8f9f886054d1d68a3c71b3252e043b67abbd213b7566",
   "weight": "2422619961936546"
  },
  {
   "public_key": "5cf0127782164922b4cd0d9abfab4867206b893e2a2633d2e35a006512acc4a0",
   "weight": "2422619961936546"
  },
  {
   "public_key": "f6cf962f6d23336166c08763e7c10758157443641aefad980aeaeb5dc156994f",
   "weight": "2422619961936546"
  },
  {
   "public_key": "658502d5d891f831b83bfccda75105514145f843dd764460b8e89798b735d6d6",
   "weight": "2422619961936546"
  },
  {
   "public_key": "03a9f8c5727d0fb8f16e2cbf84d5c63aeead2afa45d065df882343a665e6b6bd",
   "weight": "2422619961936546"
  },
  {
   "public_key": "40b854e22008c6441e5d54970f0dee993a244ccd3bf883fd63e5bbd434c34ec1",
   "weight": "2422572085326540"
  },
  {
   "public_key": "2376c8a01ae3cd1b09acd56dd740cd85c4fe0735d9b4d4949cf7f34078d268b6",
   "weight": "2422572085326540"
  },
  {
   "public_key": "392d038d540498ab533880c581a9d80304f658b4ac300f1bb2632f13539ff2cc",
   "weight": "2422572085326540"
  },
  {
   "public_key": "2c5722f79b1333ebe2bcd0fab8fc329fbc01395b9cb3274267e0e4bf64e11191",
   "weight": "2422572085326540"
  },
  {
   "public_key": "552e7126199e10f6f3f71de2b6af9959550576ee1472edf65a89f73663e09e17",
   "weight": "2405184149906465"
  },
  {
   "public_key": "bf068ce99e0d3795d512d6cfda662a4e7dbe535d5a5ce9997025791774f4df9c",
   "weight": "2405183542934468"
  },
  {
   "public_key": "447257aeae59db0bb731d0c94233ffa6c52d6cd569740e76323670e2a9099a9d",
   "weight": "2393833520215228"
  },
  {
   "public_key": "24a887c55d60104e59fa78a70104e0930b0930af5e8c2cd7f8e6aeccb473042e",
   "weight": "2385813105892856"
  },
  {
   "public_key": "01f716173b1c50f6365eb24d1c06d50adf5bf6fcb34f9136783d33f7b7c67993",
   "weight": "2382235446932280"
  },
  {
   "public_key": "1b54c27450ade459d751f3b871369418b8f886f09010d82d7b5647a890693577",
   "weight": "2372546076459116"
  },
  {
   "public_key": "e7af36c54213503fb69662a4c206a60ecec0937f338d7c55d845acf03ee2497d",
   "weight": "2372546076459116"
  },
  {
   "public_key": "bdab2b20bcbc23363009941db08767b3dbb74835cc4ed89fa40a3acb01b3598a",
   "weight": "2369875139258219"
  },
  {
   "public_key": "29043cca0eb35db17df4c523cc83a2bb542fb0139010ea2aa44cc6deca9ec884",
   "weight": "2362007882099441"
  },
  {
   "public_key": "79daf5290ff0cfce9ffd43cc59c2c1691589d32148f399051c8b72f7cd4abd41",
   "weight": "2361915604145310"
  },
  {
   "public_key": "246944238e0339024522b221120421bf2a7828e254f614c08ca34e7fcd96741a",
   "weight": "2361865193057031"
  },
  {
   "public_key": "aa82115085ac245d9063bbafd6f45c784600a07af8980a7f77ebe5215bb4077d",
   "weight": "2361637612108961"
  },
  {
   "public_key": "30ad28d51c9894d82562e445a5f97653a36e752e15a0332aafd1b39eead1d0c8",
   "weight": "2346491112384335"
  },
  {
   "public_key": "f1abe92c65051f7a3fa2103560fd2489e43ce594bd083ac25e9bc1292ee8e12d",
   "weight": "2346491112384335"
  },
  {
   "public_key": "7c5335b33eddcbfd327e3b778ae3dd78691b7055cd42068d9b90039b9073e47a",
   "weight": "2346491112384335"
  },
  {
   "public_key": "228c4a7507f61ef4ee17d76320af46d5f443e3f948221c08c3125a59ad659433",
   "weight": "2346491112384335"
  },
  {
   "public_key": "1048b4ba6349209b39f086c9b356e5f41923e4cce900b747801454d2dbe46fb1",
   "weight": "2346491112384335"
  },
  {
   "public_key": "51153499d48cc7a75ab15c10da0bcade299b63a1f79c160c484a5c5af0586674",
   "weight": "2345495782860533"
  },
  {
   "public_key": "0a5fe590548696b1f1b67441aca239b2c4e02318d2fe431f4f57c8420846894f",
   "weight": "2334944259327260"
  },
  {
   "public_key": "cefaad94fd997d0a2ce5d8187443b4af9d8c7ddf6baedd7939a190e5578c22bf",
   "weight": "2334249319043365"
  },
  {
   "public_key": "e887efcee38e8a9c8f622daccf761beec2367d66de30e0187438744d8211e44d",
   "weight": "2331134819571415"
  },
  {
   "public_key": "dbf93a031bd0e5a5173cdd4be945a44071a6947b629d9b70c26a5e953c269e0e",
   "weight": "2324276374287060"
  },
  {
   "public_key": "160cc9a5ba4f01005021d91c50b063875378edc4e45bc5442618bf9518a93af3",
   "weight": "2318447517919907"
  },
  {
   "public_key": "be07aa54d9bcf2779f66001aa11b6fac90771670273105636166ceb93597a478",
   "weight": "2315716540382358"
  },
  {
   "public_key": "4c495b38b2d1f23b741db5340780f6e690735e055877245db15af46965808527",
   "weight": "2311462513096641"
  },
  {
   "public_key": "c7abaf557727fed999781fadbec4fa2ef69a9613580201f6956cfc98d6b3a227",
   "weight": "2311457734965205"
  },
  {
   "public_key": "f219c6f5bfebcd34e9bc713d6a28d5ceab5deb476cba88b8c113362ef409b5fc",
   "weight": "2297463077529528"
  },
  {
   "public_key": "1682de9b2c30645b5b0fa00249d19622bef49633f9b73f4156c4b997f610205f",
   "weight": "2297189671856270"
  },
  {
   "public_key": "48c3a3dbd5faaf23006a9a5b7a543c9d1fb91ebfabf965e485dd7621a8b3cd2f",
   "weight": "2296348296423144"
  },
  {
   "public_key": "e70a5a9203e9f0c4218988209e8edc453e940f29cd8cdb712660be1684e71a17",
   "weight": "2296306479685355"
  },
  {
   "public_key": "8234eca97423a1ddccfa84f9c854525d33090482fc97081f73bbdbbc295d9534",
   "weight": "2295423938297016"
  },
  {
   "public_key": "51ffac1e86ebec00d9b584bc527c4e6d7c4d22b072c272b0bf88b30f9ae30bfd",
   "weight": "2294748204745199"
  },
  {
   "public_key": "dd9c8930f274260c63cc71b8de451170dde840393395c62325eb016006a5c30c",
   "weight": "2288997771722785"
  },
  {
   "public_key": "be3b5085fea1fe8f1e11433693de28a1c19254f85858609219fad7ecadf214bd",
   "weight": "2288940346636950"
  },
  {
   "public_key": "93729d32c73d130470d1dcc9eca94529e09b6914421c24e385c64ccb7b6679ff",
   "weight": "2288750855639791"
  },
  {
   "public_key": "dc1fd8871d2fc7cd84de59cbefdf326393d0ab5007b9c0d55fc4e423f1f5e066",
   "weight": "2288335164792191"
  },
  {
   "public_key": "7bb4d6e7a5d60cc33af06d42363684613d6e84d58e3454d0917e162036b61ec2",
   "weight": "2287388716902097"
  },
  {
   "public_key": "7a8fea0c7099e094870a7d024f1e1eeff2eeccf768d7fd5527e5b12c22ed164a",
   "weight": "2281500343902064"
  },
  {
   "public_key": "c86855be79ba7618922d8b7fdd1716ab5280ecb706c43044360bf164291febfe",
   "weight": "2256998922091157"
  },
  {
   "public_key": "cad21d454c999cbc1ff7d15224d9e1ecdf6449e962222c13824ad239965b1a9b",
   "weight": "2256814157753729"
  },
  {
   "public_key": "dcbaba254542e7f0be2becc960549a750e2026d454d11899188bf85f9f8ddd0a",
   "weight": "2254090898501760"
  },
  {
   "public_key": "403a583e905b14c0b56bf47030d29030218f251f7078a9f066fa8899c53c5225",
   "weight": "2233610665098807"
  },
  {
   "public_key": "3a3ad1db9d4107c313591a60700ceed1ecbcc7c0e078cd4e1991cfa60f9b51d3",
   "weight": "2202289282868767"
  },
  {
   "public_key": "0b1ebece0d22cb921d129f70d50f7c93c392d1c8fee60e6aba4d4912b20f2359",
   "weight": "2202289282868767"
  },
  {
   "public_key": "bff631071b8341dbb79c8b1f8c587d85925e877e9f59de1d71a799ab69a766f3",
   "weight": "2202289282868767"
  },
  {
   "public_key": "f8f8b08691eea7ba78ba0f7fc7c3fc7a9706aa2508eaa0ec02113267b77d2037",
   "weight": "2202289282868767"
  },
  {
   "public_key": "67edea0bd63f8ac5c76e830b0e55c9e74701e2324c413fb0c2cb701b6cae7a6d",
   "weight": "2201098570119865"
  },
  {
   "public_key": "2287a4f3bf0d4c5870ec0690ce578f998ca4056cc050313a47a6b834f9edcaa9",
   "weight": "2194015702492682"
  },
  {
   "public_key": "7b07339a62838e7e8cbc2fb6a97a8ed607f365f5f10220d4f9bdea40d7752bc4",
   "weight": "2192217556016516"
  },
  {
   "public_key": "c6f2be05882b3271c1df2212945093ec357b3ea1113a0099d553d2c898ed8a81",
   "weight": "2184682789385579"
  },
  {
   "public_key": "afe9ac891e815066835002be9bce9b07dc1cc1df6458bb71813e07e3b91da6c0",
   "weight": "2184664909791948"
  },
  {
   "public_key": "5da3f59fb9ca99d53b9b6a873c06f965158b1bac20ea7198f45a1204190c3700",
   "weight": "2183007608144369"
  },
  {
   "public_key": "5c14220c6bd60896ebd85e2c86afede27efe701c955cd7e215e39865d015dfd7",
   "weight": "2176812006934792"
  },
  {
   "public_key": "12b492b8992b010059820a35e46c53c308f364fb86abe6fb273504c549a15331",
   "weight": "2176314962029889"
  },
  {
   "public_key": "f6b6438cd4b63483846399e707d44d74244f8701f9a95663c48445d2d45716e3",
   "weight": "2165703493250691"
  },
  {
   "public_key": "095d9c63afbe7800156a1fac37943d852dc8f44bdf38a8c2b2f84c810f27b372",
   "weight": "2155740118726348"
  },
  {
   "public_key": "266daec0cc595bdf53533f5056ffe2d06c44c9b62163e34a1ee1d7ca5db3ac4f",
   "weight": "2153404244122386"
  },
  {
   "public_key": "2327989b7bf5c5c1c8b211facb6b2bf3435c5bafe3d6e8cb26d470158653d088",
   "weight": "2152275364054883"
  },
  {
   "public_key": "ee5bb674efa35a922dfd0abd10c412407afa0269a3fbca1d3413beccd33d2933",
   "weight": "2150478731268880"
  },
  {
   "public_key": "ff1274a70d0f92f9ccb4b5384dbdc3114461e49ae9399062e292f6a1d55d5afa",
   "weight": "2149153305118196"
  },
  {
   "public_key": "231d6b3f571efc48f70e153fd282ff1276ea68352f57ea9b43866005166b5542",
   "weight": "2141848851540306"
  },
  {
   "public_key": "66b0f35da4a43dfa8cfee2cb87516852757b3f50ae99c5ed135b3ef1696baf2a",
   "weight": "2141848851540306"
  },
  {
   "public_key": "1b391fad95c866e0947badecde507b5a0143c5e429ce18fc210d55367475de7d",
   "weight": "2130950114029716"
  },
  {
   "public_key": "9a4414da6864b46a3d8e69ece77f9c410a53f01c7544e502982e1b43305686ae",
   "weight": "2125737103291243"
  },
  {
   "public_key": "d34c209fcfc2193b7b8784a9f80df49f17f5b2292c5eb1fe05516c8647f06f0b",
   "weight": "2110436246553066"
  },
  {
   "public_key": "ad6fcf499dba59b530f5cd5f33f4497aadb5b2d0c563aec6c6065cbbbfeb6bdc",
   "weight": "2095518902803924"
  },
  {
   "public_key": "038191a4e2cbdd2da9d742a1cc029c6de54aa30ec70b6f72f7bebf153c3609eb",
   "weight": "2091452419829374"
  },
  {
   "public_key": "6f1337637063b5a88693607cf744c6daba977f7bb5505c5864a4119f6fcadac5",
   "weight": "2081179227983651"
  },
  {
   "public_key": "3bdad5abf4cec1977a3edb2ad9fb5615b454bc7bbfb5558aa454013184ca1e94",
   "weight": "2061960412997838"
  },
  {
   "public_key": "fcad891c268125c465279dd5f542cdffafad1e945f6ad32d078ecc6a7a48102a",
   "weight": "2061960412997380"
  },
  {
   "public_key": "062716ef99f5fc35948cb78efbc3e94e8b2f52b6a67e87160f66512c95e03a86",
   "weight": "2061960412997153"
  },
  {
   "public_key": "167ad1777928013edf9af2bbeab0bb6a66255e425e37fc4ff26eb68c38a15f75",
   "weight": "2061960412996924"
  },
  {
   "public_key": "bff0fd2c2a279b1d54326acebcaa0ce5952633d5161f79436de809310c69f6c4",
   "weight": "2061960412995099"
  },
  {
   "public_key": "5194f0f4a9a99f836b85763d456af62ff57d783dd89728cbb2eea1ecd4487cd4",
   "weight": "2061960412994184"
  },
  {
   "public_key": "6f4fa61485e88e5619dd3114beb8f11178f07dd236c5a4982e8f06baf4d1c02c",
   "weight": "2061960412992587"
  },
  {
   "public_key": "a0da1e2d621e633dce1170504b0f4054e74e3cc20e339bdd14511702df41947f",
   "weight": "2061960412992358"
  },
  {
   "public_key": "4de479c66d2412f0dcf7889187a5459a9160b39e007a14a3aa74ce358e649192",
   "weight": "2061960412992128"
  },
  {
   "public_key": "efd1a3e9167b95df3af2c7f8b16a5b834445db14fc52008497a60e89bd5cff85",
   "weight": "2061960412991443"
  },
  {
   "public_key": "b5ad41b9a604a8ea56109381694c0546ab2c839dd68afd0a974f17db35de77bd",
   "weight": "2061960412983909"
  },
  {
   "public_key": "661db94d7475cb96776834680e1ab22c4b777418231a8c38eb61fef39a596d41",
   "weight": "2061960411422899"
  },
  {
   "public_key": "e450c2cf50730ded33c89808d816e7cbdf69cf8263fcc3acfbcaf618a642d0ed",
   "weight": "2061763372928331"
  },
  {
   "public_key": "782afb893e713245f186ac70519471c5b0296909cc73af2aafacc933c8e262c9",
   "weight": "2047355542192552"
  },
  {
   "public_key": "6663e17e21ceece46692aa4fbce5cbee4a42126cc3f7836691663535a4051f18",
   "weight": "2031303634743111"
  },
  {
   "public_key": "8a9e3520e5dee297e6e5edae1b03bc0a0d28d330cbf1eaca1b5094f61cf45530",
   "weight": "2029595830756652"
  },
  {
   "public_key": "e0fc4c4a12d137ab6523dfdd07f382ff5404f3677285af7b5ff5560cf791ac76",
   "weight": "2024737614751864"
  },
  {
   "public_key": "66a2c9da12a25ea4ec93306026ac467c409304a059f98c932a4e1b1e65746202",
   "weight": "2015854743576029"
  },
  {
   "public_key": "8459bfb92546832033a1501f607931fb2070e58e92700c6e6c28307644032d62",
   "weight": "2011833608444540"
  },
  {
   "public_key": "14eba0060c29c8ac30de4a36b3bbf029c64723a391f351418dccbd9f88c4c193",
   "weight": "2008681311648902"
  },
  {
   "public_key": "a7f35aa009f6bcf612b66f6e6b6265d8a3f490bab183e5a0f7de378dd85ef6c3",
   "weight": "2001079009944314"
  },
  {
   "public_key": "99369ee725956c3ebbafadd4b486d03a1feddac6fc856493f5d722c47e50e7b8",
   "weight": "2000539268017366"
  },
  {
   "public_key": "e7c17960369349844480cc769b26162879eb4277ac58d17424f13165584686c2",
   "weight": "1997223682928066"
  },
  {
   "public_key": "52d0c9d44e07b15d67d16626b0803979555ff616c2fddf1e046af1a682b540e6",
   "weight": "1995262761630423"
  },
  {
   "public_key": "d1c1571a8e1da3976c3a5dc7539b3a8832b90a97fd7f3bd558dedf420e6ced55",
   "weight": "1994691262240922"
  },
  {
   "public_key": "341cf7cc8002514b2821c10374c737e2002fd0637f72892bbd0d12cf36bdc34b",
   "weight": "1991150666548743"
  },
  {
   "public_key": "a0b91a35b545844a7510fef18a1c007270596e5d75471a89c920b9ed640af95e",
   "weight": "1969126052064135"
  },
  {
   "public_key": "c00d5a23446a8509cb55560fd7433af8d567a637cb7373309acd73afaf379168",
   "weight": "1954717344912488"
  },
  {
   "public_key": "5176caaf60884a76d73f8aa9bd07e845093c3d7a224e95daa6c927bcf1a1732b",
   "weight": "1952569625327353"
  },
  {
   "public_key": "678e53941dd197f60fc8d5fc6f219c34d0938310f495425ab9be7a0578be9a73",
   "weight": "1910252041120355"
  },
  {
   "public_key": "5c553f4ca2771452da4bddbda63b3ab88ac10ff02b5ddcac134feed5e15a84f5",
   "weight": "1909759065155358"
  },
  {
   "public_key": "83de99ee5967cdaf59c3b86f1a2b520e16d0ed8d5e3f7c75e4b5de2c234d30f2",
   "weight": "1899489288612634"
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

/** `mainnet-2020-04-06/block-3082200/validators.json` */
export const ORDINARY_VALIDATORS: unknown = {
 "utime_since": 1586074020,
 "utime_until": 1586139556,
 "total": 13,
 "main": 13,
 "total_weight": "1152921504606846967",
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
