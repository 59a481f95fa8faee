import escapeRegExp from 'lodash/escapeRegExp.js'

/**
 * A text whose paths in a folder are relative to it, as in traces of the log. The same characters within another path
 * or a URL stay.
 */
export function withRelativePaths(text: string, folder: string): string {
  return folder === '/'
    ? text
    : text.replaceAll(new RegExp(`(?<![\\w./:-])${escapeRegExp(folder)}/`, 'g'), '')
}
