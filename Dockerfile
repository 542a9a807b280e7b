# The image of apps/demo for docker-compose.yml.

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN npx tsc -b apps/demo && npm run x -- build:panel

# The demo needs the dependencies and all peers of the package, but no development tools.
FROM node:24-bookworm-slim AS modules
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm pkg delete devDependencies peerDependenciesMeta && npm ci --ignore-scripts

FROM node:24-bookworm-slim
WORKDIR /app
RUN install --directory --owner node --group node --mode 700 /data
COPY --from=modules /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/apps/demo/public apps/demo/public
COPY package.json LICENSE ./
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "--eval", "fetch('http://127.0.0.1:' + process.env.PORT + '/login').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/apps/demo/src/main.js"]
