import { stringifyJson } from '../../sdk/engine/kube/json.js'

/** One member of an object in a JSON text. */
export interface MemberPosition {
  /** For example `spec.containers[0].image`. */
  readonly path: string
  /** The index of the member that contains this one; -1 for a member of the whole value. */
  readonly parent: number
  /** Whether an earlier member of the object has the same name. */
  readonly isRepeated: boolean
  /** The text of a value if it is a number. */
  readonly number?: string
}

/**
 * Whether a JSON text may contain duplicate members. Compares only lengths, because almost every text equals
 * the output for its value; `true` may be a false alarm.
 */
export function mayRepeatMembers(text: string, value: unknown): boolean {
  return stringifyJson(value).length !== text.trimEnd().length
}

/** Every member in a valid JSON text, in order. */
export function memberPositions(text: string): MemberPosition[] {
  const positions: MemberPosition[] = []
  const open: Level[] = []
  for (const { 0: token, index } of text.matchAll(tokens)) {
    readToken(token, open, positions)
    const position = positions.at(-1)
    if (token !== ':' || position === undefined) continue
    numberPattern.lastIndex = index + 1
    const number = numberPattern.exec(text)?.[1]
    if (number !== undefined) positions[positions.length - 1] = { ...position, number }
  }
  return positions
}

/** The tokens of JSON that matter here: strings and structural characters. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/g

/** A number after the colon of its member. */
const numberPattern = /\s*(-?\d[\d.eE+-]*)/y

/** An open object or list. */
interface Level {
  readonly path: string
  /** The index of the member whose value it is, or contains it. */
  readonly parent: number
  /** Names seen so far; `undefined` in a list. */
  readonly names: Set<string> | undefined
  index: number
  /** The member whose value comes next. */
  member: string
  /** The index of that member. */
  memberIndex: number
  isName: boolean
}

function readToken(token: string, open: Level[], positions: MemberPosition[]): void {
  const level = open.at(-1)
  if (token === '{' || token === '[') {
    const names = token === '{' ? new Set<string>() : undefined
    const parent = (level?.names === undefined ? level?.parent : level.memberIndex) ?? -1
    open.push({ path: pathIn(level), parent, names, index: 0, member: '', memberIndex: -1, isName: true })
  } else if (token === '}' || token === ']') open.pop()
  else if (level === undefined) return
  else if (token === ',') {
    level.index++
    level.isName = true
  } else if (token === ':') level.isName = false
  else if (level.names !== undefined && level.isName) note(token, level, positions)
}

function note(token: string, level: Level, positions: MemberPosition[]): void {
  const name: string = JSON.parse(token)
  level.member = name
  level.memberIndex = positions.length
  const isRepeated = level.names?.has(name) ?? false
  positions.push({ path: pathIn(level), parent: level.parent, isRepeated })
  level.names?.add(name)
}

/** The path of the next value. */
function pathIn(level: Level | undefined): string {
  if (level === undefined) return ''
  if (level.names === undefined) return `${level.path}[${level.index}]`
  return level.path === '' ? level.member : `${level.path}.${level.member}`
}
