import { stringifyJson } from '../../sdk/engine/kube/json.js'

/**
 * The JSON text of an object with repeated members: emptied before or after, with their earlier value, or in
 * another case. `turns` selects the repetition of each member, and is read cyclically.
 */
export function scribbled(object: unknown, before: unknown, turns: readonly number[]): string {
  let at = 0
  const write = (value: unknown, old: unknown): string => {
    if (Array.isArray(value)) return `[${value.map((one, i) => write(one, Object(old)[i])).join()}]`
    if (typeof value !== 'object' || value === null) return stringifyJson(value)
    return `{${Object.entries(value)
      .flatMap(([name, one]) => member(name, one, memberOf(old, name)))
      .join()}}`
  }
  const member = (name: string, value: unknown, old: unknown): string[] => {
    const [key, turn] = [stringifyJson(name), turns[at++ % turns.length]]
    const plain = () => `${key}:${write(value, old)}`
    if (turn === 1) return [`${key}:null`, plain()]
    if (turn === 2) return [plain(), `${key}:null`]
    if (turn === 3 && old !== undefined) return [plain(), `${key}:${write(old, value)}`]
    if (turn === 4) return [`${stringifyJson(name.toUpperCase())}:${write(value, old)}`, plain()]
    return turn === 5 ? [] : [plain()]
  }
  return write(object, before)
}

const memberOf = (object: unknown, name: string): unknown =>
  typeof object === 'object' && object !== null && Object.hasOwn(object, name)
    ? (object as Record<string, unknown>)[name]
    : undefined
