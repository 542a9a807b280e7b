import { chownSync, readFileSync } from 'node:fs';

/** Database servers refuse to run as root. As root, returns the first existing account of `names` for them. */
export function accountOf(names) {
  if (process.getuid?.() !== 0) return {};
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const account = names
    .map((name) => accounts.find((fields) => fields[0] === name))
    .find((fields) => fields !== undefined);
  if (!account)
    throw new Error(`This server cannot run as root, and there is no user ${names.join(' or ')}.`);
  return { uid: Number(account[2]), gid: Number(account[3]) };
}

export function giveTo({ uid, gid }, path) {
  if (uid !== undefined) chownSync(path, uid, gid);
}
