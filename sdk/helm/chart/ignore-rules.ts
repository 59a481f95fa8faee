import { ChartProblem } from './chart-problem.js'
import { Glob } from './glob.js'

// Anyone who can push to a repository writes its patterns and names of files.

/** The longest `.helmignore`, in characters. */
const maxCharacters = 2 ** 16
/**
 * The most comparisons of characters, for all files of a chart together: three times those of 100 patterns and 10,000
 * files. They take less than half a second.
 */
const maxSteps = 30_000_000

interface Rule {
  readonly pattern: Glob
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
  #steps = 0

  /** Takes the text of a `.helmignore`. Throws {@link ChartProblem} for a line that Helm refuses. */
  constructor(text = '') {
    if (text.length > maxCharacters)
      throw new ChartProblem(
        `its .helmignore has ${text.length} characters, and at most ${maxCharacters} are read; write fewer patterns`,
      )
    const lines = [...text.replace(/^\uFEFF/, '').split('\n'), 'templates/.?*'].map((line) => line.trim())
    this.#rules = lines.filter((line) => line !== '' && !line.startsWith('#')).map(ruleOf)
  }

  /**
   * Whether a path is left out; for a folder, everything in it is. The first rule that matches decides. A rule with `!`
   * leaves out everything that it does not match, which is Helm's meaning and not git's. Throws {@link ChartProblem}
   * when the patterns take too long.
   */
  ignores(path: string, isFolder: boolean): boolean {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const matches = ({ pattern, isPath }: Rule) => pattern.matches(isPath ? path : name, this.#count)
    for (const rule of this.#rules) {
      if (rule.isNegated && !(matches(rule) && (isFolder || !rule.folderOnly))) return true
      if (!rule.isNegated && (isFolder || !rule.folderOnly) && matches(rule)) return true
    }
    return false
  }

  readonly #count = (steps: number): void => {
    this.#steps += steps
    if (this.#steps > maxSteps)
      throw new ChartProblem(
        '.helmignore: its patterns take too long to compare with all files; write fewer or simpler patterns',
      )
  }
}

function ruleOf(line: string): Rule {
  if (line.includes('**'))
    throw new ChartProblem(`.helmignore: "**" in ${JSON.stringify(line)} is not supported`)
  const isNegated = line.startsWith('!')
  const withFolder = isNegated ? line.slice(1) : line
  const folderOnly = withFolder.endsWith('/')
  const glob = folderOnly ? withFolder.slice(0, -1) : withFolder
  const pattern = new Glob(glob.startsWith('/') ? glob.slice(1) : glob)
  return { pattern, isPath: glob.includes('/'), isNegated, folderOnly }
}
