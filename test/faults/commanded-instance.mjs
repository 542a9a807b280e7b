import { Client } from 'pg';

/** Statements that are sent before this process is killed. */
let statementsLeft = Infinity;

const query = Reflect.get(Client.prototype, 'query');
Client.prototype.query = function (...given) {
  if (statementsLeft-- === 0) process.kill(process.pid, 'SIGKILL');
  return Reflect.apply(query, this, given);
};

/** Executes the commands of the parent process, one at a time. With `killAfterStatements`, it is killed during one. */
export function executeCommands(commands) {
  const execute = async ({ command, given, killAfterStatements = Infinity }) => {
    statementsLeft = killAfterStatements;
    const answer = await commands[command](given);
    statementsLeft = Infinity;
    process.send({ answer });
  };
  process.on('message', (message) => void execute(message));
  process.send({ answer: 'ready' });
}
