import type { IncomingHttpHeaders } from 'node:http';

export function bearerToken({ authorization }: IncomingHttpHeaders): string | null {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? null;
}

export function cookieNamed(name: string, { cookie = '' }: IncomingHttpHeaders): string | null {
  const held = cookie.split('; ').find((pair) => pair.startsWith(`${name}=`));
  return held?.slice(name.length + 1) ?? null;
}
