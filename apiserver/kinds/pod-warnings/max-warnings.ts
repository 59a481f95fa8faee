/**
 * The number of warnings of one kind that are collected. A response has room for 4,096 characters of them, and a list
 * of equal elements has as many as there are pairs.
 */
export const maxWarnings = 5000
