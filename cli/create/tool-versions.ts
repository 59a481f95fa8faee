/**
 * The versions of the programs that check and format a created project, by package. The SDK is checked with the same
 * linter, and its tests format with the same formatter, of scripts/tools/package.json.
 */
export const toolVersions = { oxlint: '1.94.0', 'oxlint-tsgolint': '7.0.2007', prettier: '3.10.1' }
