import { type JsonPath, parseJsonPath, textOfValue } from '../../custom/json-path.js'
import type { CustomColumn } from '../../resources/served-resource.js'
import { formatAge } from '../age.js'
import type { Column } from './column.js'

/**
 * A column of a CustomResourceDefinition; follows `pkg/registry/customresource/tableconvertor` of
 * k8s.io/apiextensions-apiserver v0.36.3. A cell without a value is null.
 */
export function customColumn({ jsonPath, description = '', ...definition }: CustomColumn): Column {
  const read: JsonPath = parseJsonPath(jsonPath) ?? (() => [])
  const explained = description || `Custom resource definition column (in JSONPath format): ${jsonPath}`
  return {
    ...definition,
    description: explained,
    cell(object, now) {
      const [value] = read(object)
      return value === undefined ? null : cellOf(definition.type, value, now)
    },
  }
}

function cellOf(type: string, value: unknown, now: Date): unknown {
  if (type === 'string') return textOfValue(value)
  const isNumber = typeof value === 'number' || typeof value === 'bigint'
  if (type === 'integer') return isNumber ? truncateNumber(value) : null
  if (type === 'number') return isNumber ? value : null
  if (type === 'boolean') return typeof value === 'boolean' ? value : null
  return typeof value === 'string' ? ageOf(value, now) : null
}

const truncateNumber = (value: number | bigint) => (typeof value === 'bigint' ? value : Math.trunc(value))

function ageOf(text: string, now: Date): string {
  return Number.isNaN(Date.parse(text)) ? '<invalid>' : formatAge(text, now)
}
