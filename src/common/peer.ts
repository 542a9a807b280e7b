import { ConfigurationError } from '#contracts/common/errors.js';

/** Loads a package that only hosts with this part need, or a file that needs several. */
export async function peer<Module>(
  part: string,
  load: () => Promise<Module>,
  packages?: string,
): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    const [, name] = isMissing(error)
      ? (/Cannot find (?:module|package) '([^'./][^']*)'/.exec(error.message) ?? [])
      : [];
    if (name === undefined) throw error;
    throw new ConfigurationError([
      `${part} needs ${name}, which is not installed: npm install ${packages ?? name}`,
    ]);
  }
}

/** Whether a module cannot be loaded because it, or what it needs, is not installed. */
export function isMissing(error: unknown): error is Error {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
}
