/** How many migrations a store of this program has been through. Their text is loaded only where there are some to run. */
export const SCHEMA_VERSION = 16
