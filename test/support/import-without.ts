/** Imports a module as a host does that has not installed the package `name`. See `jest/typescript-loader.mjs`. */
export const importWithout = <Module>(name: string, module: string): Promise<Module> =>
  import(`${module}?without=${name}`) as Promise<Module>;
