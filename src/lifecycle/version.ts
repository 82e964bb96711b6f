/** The version of this package, as `clientInfo` names it; a test holds it to package.json. */
export const VERSION = "0.1.0";
