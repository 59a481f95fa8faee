import { checkEachOption, checkOptions, type OptionTypes } from '../../../engine/manager/check-options.js'
import type { Column, KindOptions, KindVersion, NameLimits, Scale } from './kind.js'

const scaleTypes: OptionTypes<Scale> = { spec: 'any', status: 'any', selector: 'any' }

const nameTypes: OptionTypes<NameLimits> = { maxLength: 'any', minLength: 'any', pattern: 'any' }

const optionTypes: OptionTypes<KindOptions> = {
  group: 'any',
  version: 'any',
  kind: 'any',
  plural: 'any',
  scope: 'any',
  spec: 'any',
  fields: 'any',
  status: 'any',
  conditions: 'any',
  effects: 'any',
  columns: 'any',
  scale: scaleTypes,
  selectable: 'any',
  shortNames: 'any',
  categories: 'any',
  name: nameTypes,
  rules: 'any',
  labels: 'any',
  annotations: 'any',
  description: 'any',
  maxDescription: 'any',
  versions: 'object',
  default: 'any',
  validate: 'any',
}

const versionTypes: OptionTypes<KindVersion> = {
  spec: 'any',
  status: 'any',
  served: 'any',
  deprecated: 'any',
  scale: scaleTypes,
  selectable: 'any',
  toHub: 'any',
  fromHub: 'any',
}

const columnTypes: OptionTypes<Column> = {
  name: 'any',
  path: 'any',
  type: 'any',
  priority: 'any',
  format: 'any',
  description: 'any',
}

/** Throws a `TypeError` for a misspelt option of `defineKind`, of a version or of a column. */
export function checkKindOptions(options: Pick<KindOptions, 'kind' | 'versions' | 'columns'>): void {
  const { kind = 'without a name', versions, columns } = options
  checkOptions(`kind ${kind}`, options, optionTypes)
  checkEachOption(`kind ${kind}`, { versions }, versionTypes)
  checkEachOption(`kind ${kind}`, { columns }, columnTypes)
}
