import { readFileSync, readdirSync } from 'node:fs';

/** Ticks of a second in /proc, on every Linux of today. */
const TICKS = 100;

/** Processor seconds of the server at a port and of its children, also of those that have ended. */
export function secondsOf(name, port) {
  const processes = allProcesses();
  const server = processes.find((each) => each.name === name && listensTo(each.pid, port));
  if (server === undefined) throw new Error(`No process ${name} at port ${port} was found.`);
  const children = processes.filter(({ parent }) => parent === server.pid);
  const ticks = children.reduce((sum, { own }) => sum + own, server.own + server.ended);
  return ticks / TICKS;
}

function allProcesses() {
  return readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return [];
    try {
      return [statOf(Number(entry))];
    } catch {
      // The process has ended meanwhile.
      return [];
    }
  });
}

/** The name is in parentheses, and may contain spaces. */
function statOf(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const end = text.lastIndexOf(')');
  const name = text.slice(text.indexOf('(') + 1, end);
  const fields = text.slice(end + 2).split(' ');
  const [user, system, childUser, childSystem] = fields.slice(11, 15).map(Number);
  return { pid, name, parent: Number(fields[1]), own: user + system, ended: childUser + childSystem };
}

/** PostgreSQL has its port in the command line, PgBouncer in the file that it names there. */
function listensTo(pid, port) {
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  if (words.includes(String(port))) return true;
  const configuration = words.find((word) => word.endsWith('.ini'));
  return (
    configuration !== undefined && readFileSync(configuration, 'utf8').includes(`listen_port = ${port}\n`)
  );
}
