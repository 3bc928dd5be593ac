# The published package, built from this checkout, with Debian's Chromium for PDFs. Runs as a user without rights.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN node scripts/with-node.mjs scripts/build.ts
# Once more without what only the build needs.
RUN npm ci --ignore-scripts --omit=dev \
    # The native code of other platforms, and a second browser: docs/guide/deployment.md, "Size of an installation".
    && find node_modules/@temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 ! -name "$(uname -m)-unknown-linux-gnu" -exec rm -r {} + \
    && rm -r node_modules/@sparticuz

FROM node:24.21.0-bookworm-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends chromium fonts-liberation \
    && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production \
    FILINGLAKE_HOME=/data/state \
    FILINGLAKE_CACHE=/data/cache \
    FILINGLAKE_CHROMIUM=/usr/bin/chromium
RUN mkdir -p /data/catalog /data/lake /data/state /data/cache && chown -R node:node /data
WORKDIR /app
COPY --from=build /build/package.json ./
COPY --from=build /build/bin ./bin
COPY --from=build /build/dist ./dist
COPY --from=build /build/node_modules ./node_modules
USER node
WORKDIR /data
ENTRYPOINT ["node", "/app/bin/filinglake.mjs"]
CMD ["--help"]
