import { type FactView, fact, type ObjectFacts } from '../../../engine/inspector/fact-view.js'
import { formatKey } from '../../../engine/kube/key.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type {
  Module,
  ModuleProgram,
  ModuleProgramRule,
  ModuleStatus,
  OperationRecord,
} from '../../kinds/module.js'
import { hasFailed, retryAnnotation } from './operation-record.js'

/**
 * The facts about a Module that `why` and the inspector show. Its configuration and its metadata are left out: they may
 * contain secrets.
 */
export function moduleFacts(object: KubeObject): ObjectFacts {
  const { spec, status = {} } = object as Module
  const { operation, program } = status
  const rows: FactView[] = [
    fact('phase', phaseText(status)),
    fact('workspace', formatKey(spec.workspace)),
    fact('operation', operation ? operationText(operation) : 'none'),
    ...(operation && hasFailed(operation) ? [fact('next try', nextText(operation))] : []),
    ...(operation?.lastError !== undefined ? [fact('last error', errorText(operation))] : []),
    ...(program ? [fact('program', ...programTexts(program))] : []),
    ...(program?.digest === undefined ? [] : [fact('permissions', ...permissionTexts(program))]),
  ]
  return { rows, waitsFor: waitReasons(status) }
}

function phaseText({ phase: recordedPhase, lastActivity }: ModuleStatus): string {
  const phase = recordedPhase ?? 'not known yet'
  return lastActivity === undefined ? phase : `${phase} since ${lastActivity}`
}

function operationText({ kind, attempt, startedAt, id }: OperationRecord): string {
  return `${kind}, attempt ${attempt}, begun at ${startedAt}, id ${id}`
}

/** When the next attempt is made. */
function nextText({ permanent, nextAttemptAt }: OperationRecord): string {
  if (permanent) return `at a change of the spec, of a ConfigMap that it names or of ${retryAnnotation}`
  return nextAttemptAt === undefined ? 'at once' : `at ${nextAttemptAt}`
}

function errorText({ reason, lastError = '' }: OperationRecord): string {
  return reason === undefined ? lastError : `${reason}: ${lastError}`
}

function programTexts({ name, version = '', digest }: ModuleProgram): string[] {
  return [`${name} ${version}`.trimEnd(), digest ?? 'part of the operator']
}

function permissionTexts({ permissions, permissionsLeftOut: leftOut = 0 }: ModuleProgram): string[] {
  if (!permissions) return ['those of the operator: the program has no rules']
  if (permissions.length + leftOut === 0) return ['none']
  return [...permissions.map(ruleText), ...(leftOut > 0 ? [`and ${leftOut} more rules`] : [])]
}

function ruleText({ group, resource, verbs, namespace }: ModuleProgramRule): string {
  const resourceText = group === '' ? resource : `${resource}.${group}`
  return `${verbs.join(', ')} ${resourceText}${namespace === undefined ? '' : ` in namespace ${namespace}`}`
}

function waitReasons({ phase, operation, message }: ModuleStatus): string[] {
  if (operation && hasFailed(operation)) {
    const times = operation.attempt === 1 ? 'once' : `${operation.attempt} times`
    return [`${operation.kind} failed ${times}; the next try is ${nextText(operation)}.`]
  }
  return phase === 'installing' && message !== undefined ? [`${message}.`] : []
}
