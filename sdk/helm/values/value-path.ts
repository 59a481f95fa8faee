/** A path as in `helm --set`: names of members and indices of lists. */
export type ValuePath = readonly (string | number)[]

/** The highest index of a list, as in Helm. */
const maxIndex = 65_536
/** The deepest path, as in Helm. */
const maxDepth = 30

/** A path that cannot be read; the message says why. */
export class ValuePathError extends Error {
  override readonly name = 'ValuePathError'
}

/**
 * Reads a path such as `image.tag`, `list[0].name` or `annotations.example\.com/a`: a backslash takes the next
 * character as it is. Throws {@link ValuePathError}.
 */
export function parseValuePath(text: string): ValuePath {
  const path = splitAtDots(text).flatMap(partsOf)
  if (path.length > maxDepth) throw new ValuePathError(`it is deeper than ${maxDepth} levels`)
  return path
}

/** The parts between dots, with their escapes. */
function splitAtDots(text: string): string[] {
  return text.match(/(?:\\.|[^\\.])+|(?<=^|\.)(?=\.|$)|\\$/gs) ?? ['']
}

/** A name, and the indices that follow it: `list[0][1]`. */
function partsOf(part: string): ValuePath {
  const [, name = '', indices = ''] = /^((?:\\.|[^\\[\]])*)((?:\[[^\]]*\])*)$/s.exec(part) ?? []
  if (name === '')
    throw new ValuePathError(`${JSON.stringify(part)} is not a name, or a name with indices as in "list[0]"`)
  const numbers = [...indices.matchAll(/\[([^\]]*)\]/g)].map(([, index = '']) => indexOf(index))
  return [name.replace(/\\(.)/gs, '$1'), ...numbers]
}

function indexOf(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new ValuePathError(`the index [${text}] is not a whole number`)
  if (Number(text) > maxIndex) throw new ValuePathError(`the index [${text}] is above ${maxIndex}`)
  return Number(text)
}

/** Whether one path is the beginning of the other, or both are equal. */
export function isPrefix(short: ValuePath, long: ValuePath): boolean {
  return short.length <= long.length && short.every((part, index) => part === long[index])
}

/** The text of a path, as {@link parseValuePath} reads it. */
export function formatValuePath(path: ValuePath): string {
  const texts = path.map((part, index) => {
    if (typeof part === 'number') return `[${part}]`
    return `${index === 0 ? '' : '.'}${part.replace(/[\\.[\]]/g, '\\$&')}`
  })
  return texts.join('')
}
