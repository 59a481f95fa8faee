import { ApiError } from '../../../engine/kube/error.js'
import type { HelmControllerOptions } from '../options/options.js'
import { causesOf } from '../problem/causes.js'
import { OperationError, ValuesError } from '../problem/problem.js'
import type { ReconcileRun } from '../run/release-run.js'

/** The cluster and the options that decide who can create a missing namespace. */
type AdvisedRun = Pick<ReconcileRun, 'release'> & {
  readonly options: Pick<HelmControllerOptions, 'createNamespace' | 'targetNamespace' | 'target'>
}

/** Adds to the message of an error about a missing namespace how to create it. Returns the error. */
export function adviseOnNamespace(run: AdvisedRun, error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const name = missingNamespace(error)
  if (name === undefined) return error
  const advice = isOfCode(error)
    ? '; create the namespace, or correct its name in the code of the operator'
    : adviceOn(run, name)
  if (!error.message.endsWith(advice)) error.message += advice
  return error
}

/** Whether code of the program, and not an object of the chart, asked for the namespace. */
const isOfCode = (error: Error) =>
  [...causesOf(error)].some(
    (cause) =>
      cause instanceof ValuesError || (cause instanceof OperationError && cause.reason === 'HookError'),
  )

/** The namespace that an API server did not find, for any of the causes of an error. */
function missingNamespace(error: Error): string | undefined {
  for (const cause of causesOf(error)) {
    if (!(cause instanceof ApiError) || cause.code !== 404) continue
    const { kind, name } = cause.status.details ?? {}
    if (kind === 'namespaces') return name
  }
  return undefined
}

function adviceOn({ options, release }: AdvisedRun, name: string): string {
  const { createNamespace, targetNamespace, target } = options
  if (name !== release.namespace) return '; create the namespace, or add it to the chart'
  const isOptionAllowed = targetNamespace !== undefined || typeof target === 'function'
  if (createNamespace || !isOptionAllowed) return '; create the namespace'
  return '; create the namespace, or set the option createNamespace, so that the operator does'
}
