/** Reports the address of this host to the benchmark, and ends with it. */
export function tell(server) {
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
  process.on('disconnect', () => process.exit());
}
