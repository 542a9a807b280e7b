export default async function globalTeardown() {
  for (const server of globalThis.testServers.toReversed()) await server.stop();
}
