/** Written here because a bundle has no package.json beside it; a test compares the two. */
export const PACKAGE_VERSION = '0.1.0';
