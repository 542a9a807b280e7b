import { GuardrailsError } from '../../libs/contracts/src/errors.js';

const DEEPEST = 100;

/** The fields of a body, or of none at all. */
export function objectBody(content: unknown): Readonly<Record<string, unknown>> {
  if (content === undefined) return {};
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new GuardrailsError('invalid_body', 'The request body must be a JSON object.');
  }
  if (isDeeperThan(content, DEEPEST)) {
    throw new GuardrailsError('invalid_body', `The request body is nested deeper than ${DEEPEST} levels.`);
  }
  return content as Readonly<Record<string, unknown>>;
}

/** Level by level: a hostile depth must not become our stack's. */
function isDeeperThan(root: object, levels: number): boolean {
  let level: object[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= levels) return true;
    level = level.flatMap((node) =>
      Object.values(node).filter((value): value is object => typeof value === 'object' && value !== null),
    );
  }
  return false;
}
