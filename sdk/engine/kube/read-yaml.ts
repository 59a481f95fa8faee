import { loadYaml } from './load-yaml.js'
import { checkYamlSize } from './yaml-size.js'

/**
 * Reads an untrusted YAML text in time that is linear in its length. Keys are not compared with each other, so the last
 * of two equal keys counts. Rejects with `SyntaxError` for a text that is not YAML, has too many values, or becomes too
 * large by its aliases.
 */
export async function readYaml(text: string): Promise<unknown> {
  checkYamlSize(text)
  const { LineCounter, parseDocument } = await loadYaml()
  const lineCounter = new LineCounter()
  // A pretty error quotes its line, which takes the square of the time for a long line of errors.
  const document = parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: false })
  const [problem] = document.errors
  if (problem)
    throw new SyntaxError(
      `${problem.message} at line ${Math.max(1, lineCounter.linePos(problem.pos[0]).line)}`,
    )
  try {
    return document.toJS({ maxAliasCount: 100 }) as unknown
  } catch (cause) {
    throw new SyntaxError(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}
