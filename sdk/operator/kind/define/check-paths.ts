import type { JsonSchema } from '../schema/json-schema.js'
import type { KindProblem } from '../schema/problem.js'
import type { Column, Scale } from './kind.js'
import { schemaAt } from './schema-at.js'

/** The options of a kind that name fields. */
export interface FieldPaths {
  readonly columns?: readonly Column[]
  readonly scale?: Scale
  readonly selectable?: readonly string[]
}

const scalars: ReadonlySet<string | undefined> = new Set(['string', 'integer', 'boolean'])

/** Finds the problems of the paths that the options of a kind name. */
export function checkPaths(
  root: JsonSchema,
  { columns = [], scale, selectable = [] }: FieldPaths,
): KindProblem[] {
  return [
    ...columns.flatMap((column) => checkColumn(root, column)),
    ...(scale ? checkScale(root, scale) : []),
    ...checkSelectable(root, selectable),
  ]
}

/** Finds the problems of the paths that another version than the hub names. */
export function checkVersionPaths(root: JsonSchema, name: string, paths: FieldPaths = {}): KindProblem[] {
  return checkPaths(root, paths).map((one) => ({ ...one, path: `versions.${name}.${one.path}` }))
}

const problem = (path: string, construct: string, message: string): KindProblem => ({
  path,
  construct,
  message,
})

function checkColumn(root: JsonSchema, { name, path }: Column): KindProblem[] {
  if (!path.startsWith('.')) return [problem('columns', `path ${path} of ${name}`, 'must begin with a dot')]
  if (schemaAt(root, path) !== undefined) return []
  return [
    problem(
      'columns',
      `path ${path} of ${name}`,
      'is not a field of the kind; correct the path or add the field',
    ),
  ]
}

function checkScale(root: JsonSchema, { spec, status, selector }: Scale): KindProblem[] {
  const check = (path: string, start: string, type: string) =>
    path.startsWith(start) && schemaAt(root, path)?.type === type
      ? []
      : [problem('scale', path, `must be a field below ${start} of type ${type}`)]
  return [
    ...check(spec, '.spec.', 'integer'),
    ...check(status, '.status.', 'integer'),
    ...(selector === undefined
      ? []
      : check(selector, selector.startsWith('.spec.') ? '.spec.' : '.status.', 'string')),
  ]
}

function checkSelectable(root: JsonSchema, paths: readonly string[]): KindProblem[] {
  const wrong = paths.filter(
    (path) => path.startsWith('.metadata') || !scalars.has(schemaAt(root, path)?.type),
  )
  const problems = wrong.map((path) =>
    problem('selectable', path, 'must be a text, an integer or a boolean outside of metadata and lists'),
  )
  if (paths.length <= 8) return problems
  return [...problems, problem('selectable', `${paths.length} paths`, 'are too many; a version may have 8')]
}
