/** The end of the output of a stream, and a promise for a text in it. */
export function listenTo(stream) {
  const listener = {
    text: '',
    saw: (words) =>
      new Promise((resolve) => {
        stream.on('data', () => listener.text.search(words) >= 0 && resolve(true));
      }),
  };
  stream.setEncoding('utf8').on('data', (chunk) => (listener.text = (listener.text + chunk).slice(-4_000)));
  return listener;
}
