/**
 * Names all that decides what a command line speaks for, so that an index with nothing to judge need not load it: what
 * `revisionOf` makes of it. A test says what to write here when a table of commands has changed.
 */
export const FORMS_REVISION = 'db057d0479d5d19f'
