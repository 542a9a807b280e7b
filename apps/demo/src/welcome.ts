import { join } from 'node:path';
import type { Credentials } from './storage/credentials.js';
import type { Environment } from './environment.js';

export function welcome(url: string, { dataFolder }: Environment, credentials: Credentials): string {
  const { password, operatorToken, viewerToken } = credentials;
  return `
  The chat       ${url}/
  Password       ${password}
  The API        ${url}/guardrails/api/overview

  Operator token ${operatorToken}
  Viewer token   ${viewerToken}

  Try            curl -H 'Authorization: Bearer ${operatorToken}' ${url}/guardrails/api/overview

  These secrets are kept in ${join(dataFolder, 'credentials.json')}. Ctrl-C ends.
`;
}
