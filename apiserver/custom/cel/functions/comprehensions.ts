import type { CelEnvironment } from '../cel-library.js'
import {
  type CheckedType,
  type Checker,
  type Evaluator,
  type Expression,
  type Macro,
  type MacroCall,
  type Scope,
  variableOf,
} from './macro.js'

/** Evaluates one of the arguments with both variables set, of which the first is the key. */
interface Round {
  (expression: Expression | undefined): unknown
  readonly key: unknown
}

interface Comprehension {
  /** The type of the result, from the type of the last argument. */
  type(checker: Checker, last: CheckedType, key: CheckedType): CheckedType
  /** Computes the result. `args` are the arguments after the two variables. */
  run(rounds: readonly Round[], args: readonly Expression[]): unknown
}

const bool = (checker: Checker) => checker.getType('bool')
const listOf = (checker: Checker, last: CheckedType) => checker.getType(`list<${last.name}>`)

const all: Comprehension = { type: bool, run: (rounds, [holds]) => !settles(rounds, holds, false) }
const exists: Comprehension = { type: bool, run: (rounds, [holds]) => settles(rounds, holds, true) }
const existsOne: Comprehension = {
  type: bool,
  run: (rounds, [holds]) => rounds.filter((round) => round(holds) === true).length === 1,
}
const list: Comprehension = { type: listOf, run: (rounds, [value]) => rounds.map((round) => round(value)) }
const some: Comprehension = {
  type: listOf,
  run: (rounds, [holds, value]) =>
    rounds.filter((round) => round(holds) === true).map((round) => round(value)),
}

const map: Comprehension = {
  type: (checker, last, key) => checker.getType(`map<${key.name}, ${last.name}>`),
  run: (rounds, [value]) => new Map(rounds.map((round) => [round.key, round(value)])),
}
const someMap: Comprehension = {
  ...map,
  run: (rounds, [holds, value]) =>
    map.run(
      rounds.filter((round) => round(holds) === true),
      value === undefined ? [] : [value],
    ),
}
const entries: Comprehension = {
  type: (_checker, last) => last,
  run: (rounds, [entry]) => new Map(rounds.flatMap((round) => pairsOf(round(entry)))),
}
const someEntries: Comprehension = {
  ...entries,
  run: (rounds, [holds, entry]) =>
    entries.run(
      rounds.filter((round) => round(holds) === true),
      entry === undefined ? [] : [entry],
    ),
}

/**
 * Adds the macros with two variables, index and element of a list or key and value of a map, by
 * `ext.TwoVarComprehensions`.
 */
export function addComprehensions(environment: CelEnvironment): void {
  const add = (signature: string, comprehension: Comprehension) =>
    environment.registerFunction(signature, (call: MacroCall) => expand(call, comprehension), {
      async: false,
    })
  add('list.all(ast, ast, ast): bool', all)
  add('list.exists(ast, ast, ast): bool', exists)
  add('list.existsOne(ast, ast, ast): bool', existsOne)
  add('list.transformList(ast, ast, ast): list<dyn>', list)
  add('list.transformList(ast, ast, ast, ast): list<dyn>', some)
  add('list.transformMap(ast, ast, ast): map<dyn, dyn>', map)
  add('list.transformMap(ast, ast, ast, ast): map<dyn, dyn>', someMap)
  add('list.transformMapEntry(ast, ast, ast): map<dyn, dyn>', entries)
  add('list.transformMapEntry(ast, ast, ast, ast): map<dyn, dyn>', someEntries)
}

/** Whether any round has the given result. If one has, errors of other rounds are ignored; otherwise one is thrown. */
function settles(rounds: readonly Round[], holds: Expression | undefined, result: boolean): boolean {
  const errors: unknown[] = []
  for (const round of rounds) {
    try {
      if (round(holds) === result) return true
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
  return false
}

interface Scopes {
  readonly outer: Scope
  readonly inner: Scope
}

function expand(
  { receiver, args: [first, second, ...args] }: MacroCall,
  comprehension: Comprehension,
): Macro {
  const names = [variableOf(first), variableOf(second)] as const
  let scopes: Scopes | undefined
  return {
    async: false,
    typeCheck(checker, _macro, scope) {
      const [key, value] = elementTypes(checker, checker.check(receiver, scope), receiver)
      const outer = scope.forkWithVariable(names[0], key)
      const inner = outer.forkWithVariable(names[1], value)
      scopes = { outer, inner }
      const types = args.map((arg) => checker.check(arg, inner))
      return comprehension.type(checker, types.at(-1) ?? value, key)
    },
    evaluate(evaluator, _macro, scope) {
      const pairs = pairsOf(evaluator.run(receiver, scope))
      return comprehension.run(roundsOf(pairs, enterScopes(scopes, scope), evaluator), args)
    },
  }
}

function enterScopes(scopes: Scopes | undefined, scope: Scope): Scopes {
  if (scopes === undefined) throw new Error('an expression is checked before it runs')
  const outer = scopes.outer.reuse(scope)
  return { outer, inner: scopes.inner.reuse(outer) }
}

function roundsOf(
  pairs: readonly (readonly [unknown, unknown])[],
  { outer, inner }: Scopes,
  evaluator: Evaluator,
): Round[] {
  return pairs.map(([key, value]) => {
    const round = (expression: Expression | undefined) => {
      outer.setIterValue(key, evaluator)
      inner.setIterValue(value, evaluator)
      return expression === undefined ? undefined : evaluator.run(expression, inner)
    }
    return Object.assign(round, { key })
  })
}

function elementTypes(
  checker: Checker,
  { kind, keyType, valueType }: CheckedType,
  node: Expression,
): readonly [CheckedType, CheckedType] {
  const dyn = checker.getType('dyn')
  if (kind === 'list') return [checker.getType('int'), valueType ?? dyn]
  if (kind === 'map') return [keyType ?? dyn, valueType ?? dyn]
  if (kind === 'dyn') return [dyn, dyn]
  throw checker.createError('invalid_comprehension_range', 'only lists and maps have elements', node)
}

function pairsOf(range: unknown): readonly (readonly [unknown, unknown])[] {
  if (Array.isArray(range)) return range.map((element, index) => [BigInt(index), element])
  if (range instanceof Map) return [...range]
  return Object.entries(range as object)
}
