/**
 * The program that imports a module and prints the kinds that it exports, as one line of JSON. It is a process of its
 * own, because the module is the user's code.
 */
import { pathToFileURL } from 'node:url'
import type { Kind } from '../../sdk/operator/kind/define/kind.js'
import { crdOf } from '../../sdk/operator/kind/definition/crd-of.js'
import { uncheckedRules } from '../../sdk/operator/kind/rules/unchecked-rules.js'
import { formatProblem } from '../../sdk/operator/kind/schema/problem.js'
import { linePrefix, type PrintedKind } from './printed-kind.js'

const module: Readonly<Record<string, unknown>> = await import(
  pathToFileURL(process.env.VCLUSTER_PLUGIN_KINDS ?? '').href
)
const kinds = new Set(Object.values(module).filter(isKind))
const printed = [...kinds].map(
  (kind): PrintedKind => ({
    definition: crdOf(kind),
    warnings: kind.warnings.map(formatProblem),
    unchecked: uncheckedRules(kind),
  }),
)
process.stdout.write(`${linePrefix}${JSON.stringify(printed)}\n`)

function isKind(exported: unknown): exported is Kind {
  const { schemas, parse, options, plural } = Object(exported) as Partial<Kind>
  return (
    Array.isArray(schemas) && typeof parse === 'function' && options !== undefined && plural !== undefined
  )
}
