import type { CelRule, JsonSchema } from '../../sdk/operator/kind/schema/json-schema.js'
import type { ClusterUnderTest } from '../conformance/cluster-under-test.js'

/** A rule in the schema that it belongs to. */
export interface MeasuredRule {
  readonly schema: JsonSchema
  readonly rule: CelRule
}

/**
 * The answer of a server about a rule: its estimated cost or, with `isMore`, a lower one; or why it does not compile.
 */
export type Measurement = { readonly cost: number; readonly isMore?: true } | { readonly refusal: string }

const limit = 10_000_000
/** The factor above the limit that a measurement aims at; a server reports factors from 1.1 to 100. */
const aim = 50
const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All'
const headers = { 'content-type': 'application/json' }

/**
 * Measures the cost that a server estimates for a rule. The rule is put into a map with so many entries that it must be
 * refused: the answer has the factor by which it exceeds the limit.
 */
export async function measureCost(
  cluster: ClusterUnderTest,
  measured: MeasuredRule,
  expected: number,
): Promise<Measurement> {
  let guess = Math.max(1, Math.min(expected, Number.MAX_SAFE_INTEGER))
  for (let tries = 0; tries < 20; tries++) {
    const count = Math.max(1, Math.ceil((aim * limit) / guess))
    const { status, text } = await cluster.request({
      method: 'POST',
      path,
      headers,
      body: JSON.stringify(definitionOf(measured, count)),
    })
    const [, more, factor] =
      /estimated rule cost exceeds budget by factor of (more than )?([\d.]+)x/.exec(text) ?? []
    if (factor === undefined && status !== 201) return { refusal: text.slice(0, 1000) }
    if (factor !== undefined && more === undefined && Number(factor) >= 10) {
      return { cost: (Number(factor) * limit) / count }
    }
    if (more !== undefined && count === 1) return { cost: Number(factor) * limit, isMore: true }
    if (factor === undefined && count >= 1e15) return { cost: 0 }
    guess =
      factor === undefined
        ? guess / 1000
        : more === undefined
          ? (Number(factor) * limit) / count
          : guess * 100
  }
  throw new Error(`the cost of ${measured.rule.rule} could not be measured`)
}

function definitionOf({ schema, rule }: MeasuredRule, maxProperties: number) {
  const node = {
    ...withoutRules(schema),
    'x-kubernetes-validations': [
      { rule: rule.rule, message: 'is refused', ...(rule.optionalOldSelf && { optionalOldSelf: true }) },
    ],
  }
  const spec = {
    type: 'object',
    properties: { map: { type: 'object', maxProperties, additionalProperties: node } },
  }
  const names = { kind: 'Measured', listKind: 'MeasuredList', plural: 'measureds', singular: 'measured' }
  const openAPIV3Schema = { type: 'object', properties: { spec } }
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'measureds.rules.example.com' },
    spec: { group: 'rules.example.com', names, scope: 'Namespaced', versions: [version] },
  }
}

/** The rules below the measured one would be refused for their cost, too. */
function withoutRules(schema: JsonSchema): JsonSchema {
  return JSON.parse(
    JSON.stringify(schema, (key, value) =>
      key === 'x-kubernetes-validations' && Array.isArray(value) ? undefined : value,
    ),
  )
}
