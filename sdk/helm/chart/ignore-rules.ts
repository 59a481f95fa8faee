import { ChartProblem } from './chart-problem.js'
import { globPattern } from './glob.js'

interface Rule {
  readonly pattern: RegExp
  /** Whether the pattern is about the whole path and not about the last name in it. */
  readonly isPath: boolean
  readonly isNegated: boolean
  readonly folderOnly: boolean
}

/**
 * Finds the files of a chart's folder that Helm leaves out: those that `.helmignore` names, and files in `templates/`
 * that begin with a dot.
 */
export class IgnoreRules {
  readonly #rules: Rule[]

  /** Takes the text of a `.helmignore`. Throws {@link ChartProblem} for a line that Helm refuses. */
  constructor(text = '') {
    const lines = [...text.replace(/^\uFEFF/, '').split('\n'), 'templates/.?*'].map((line) => line.trim())
    this.#rules = lines.filter((line) => line !== '' && !line.startsWith('#')).map(ruleOf)
  }

  /**
   * Whether a path is left out; for a folder, everything in it is. The first rule that matches decides. A rule with `!`
   * leaves out everything that it does not match, which is Helm's meaning and not git's.
   */
  ignores(path: string, isFolder: boolean): boolean {
    for (const rule of this.#rules) {
      if (rule.isNegated && !(matches(rule, path) && (isFolder || !rule.folderOnly))) return true
      if (!rule.isNegated && (isFolder || !rule.folderOnly) && matches(rule, path)) return true
    }
    return false
  }
}

function matches({ pattern, isPath }: Rule, path: string): boolean {
  return pattern.test(isPath ? path : path.slice(path.lastIndexOf('/') + 1))
}

function ruleOf(line: string): Rule {
  if (line.includes('**'))
    throw new ChartProblem(`.helmignore: "**" in ${JSON.stringify(line)} is not supported`)
  const isNegated = line.startsWith('!')
  const withFolder = isNegated ? line.slice(1) : line
  const folderOnly = withFolder.endsWith('/')
  const glob = folderOnly ? withFolder.slice(0, -1) : withFolder
  const pattern = globPattern(glob.startsWith('/') ? glob.slice(1) : glob)
  return { pattern, isPath: glob.includes('/'), isNegated, folderOnly }
}
