/** COPY … FROM STDIN with given rows, for `client.query`. */
export class CopyIn {
  constructor(statement, text) {
    this.statement = statement;
    this.text = text;
    this.done = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  submit(connection) {
    connection.query(this.statement);
  }

  handleCopyInResponse(connection) {
    connection.sendCopyFromChunk(Buffer.from(this.text));
    connection.endCopyFrom();
  }

  handleCommandComplete() {}

  handleError(error) {
    this.reject(error);
  }

  handleReadyForQuery() {
    this.resolve();
  }
}
