# The command in a container: docs/pipelines.md. Nothing in it runs as root, and nothing but the command runs.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci --no-audit --no-fund

FROM node:24.21.0-bookworm-slim
LABEL org.opencontainers.image.title="ton-finality" org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production
WORKDIR /opt/ton-finality
COPY package.json package-lock.json LICENSE ./
RUN npm ci --omit=dev --omit=peer --ignore-scripts --no-audit --no-fund && npm cache clean --force
COPY --from=build /src/build/src ./build/src
COPY --from=build /src/build/bundle ./build/bundle
COPY --from=build /src/build/report-page ./build/report-page
COPY schemas ./schemas
COPY container ./container
USER node
WORKDIR /work
ENTRYPOINT ["node", "/opt/ton-finality/build/bundle/app/cli/cli.js"]
CMD ["--help"]
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["node", "/opt/ton-finality/container/health.mjs"]
