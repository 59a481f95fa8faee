/**
 * The versions of the programs that check a created project, by package. The SDK is checked with the same ones, of
 * scripts/tools/package.json.
 */
export const toolVersions = { oxlint: '1.94.0', 'oxlint-tsgolint': '7.0.2007' }
