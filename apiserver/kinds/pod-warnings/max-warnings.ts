/**
 * The maximum number of collected warnings of one kind. A response has room for 4,096 characters of warnings, and a
 * list of equal elements has one warning for each pair.
 */
export const maxWarnings = 5000
