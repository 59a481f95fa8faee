import { type FieldError, forbiddenValue, invalidValue, required } from '../../validation/field-error.js'
import { checkNotNegative, checkOptionalChoice, checkPortOrName } from '../../validation/values.js'
import type { Container, Handler, PodSpec, Probe } from './spec.js'

const handlers = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const
type HandlerName = (typeof handlers)[number]

const counts = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
] as const

/** The errors of a container's probes and lifecycle handlers. */
export function probeErrors(
  container: Container,
  { terminationGracePeriodSeconds: seconds }: PodSpec,
  path: string,
): FieldError[] {
  const { lifecycle, livenessProbe, readinessProbe, startupProbe } = container
  return [
    ...handlerErrors(lifecycle?.postStart, `${path}.lifecycle.postStart`, seconds),
    ...handlerErrors(lifecycle?.preStop, `${path}.lifecycle.preStop`, seconds),
    ...onlyOnceErrors(livenessProbe, `${path}.livenessProbe`),
    ...readinessErrors(readinessProbe, `${path}.readinessProbe`),
    ...onlyOnceErrors(startupProbe, `${path}.startupProbe`),
  ]
}

function onlyOnceErrors(probe: Probe | undefined, path: string): FieldError[] {
  if (probe === undefined) return []
  const { successThreshold } = probe
  const why =
    successThreshold === 1 ? [] : [invalidValue(`${path}.successThreshold`, successThreshold, 'must be 1')]
  return [...oneProbeErrors(probe, path), ...why]
}

function readinessErrors(probe: Probe | undefined, path: string): FieldError[] {
  if (probe === undefined) return []
  const { terminationGracePeriodSeconds: seconds } = probe
  const field = `${path}.terminationGracePeriodSeconds`
  const misplaced =
    seconds === undefined ? [] : [invalidValue(field, seconds, 'must not be set for readinessProbes')]
  return [...oneProbeErrors(probe, path), ...misplaced]
}

function oneProbeErrors(probe: Probe, path: string): FieldError[] {
  const { terminationGracePeriodSeconds: seconds = 1 } = probe
  const field = `${path}.terminationGracePeriodSeconds`
  return [
    ...handlerErrors(probe, path),
    ...counts.flatMap((name) => checkNotNegative(`${path}.${name}`, probe[name])),
    ...(seconds > 0 ? [] : [invalidValue(field, seconds, 'must be greater than 0')]),
  ]
}

function handlerErrors(handler: Handler | undefined, path: string, graceSeconds?: number): FieldError[] {
  if (handler === undefined) return []
  const [first, ...others] = handlers.filter((name) => handler[name] !== undefined)
  if (first === undefined) return [required(path, 'must specify a handler type')]
  return [
    ...(first === 'sleep'
      ? sleepErrors(handler, `${path}.sleep`, graceSeconds)
      : actionErrors(handler, path, first)),
    ...others.map((name) => forbiddenValue(`${path}.${name}`, 'may not specify more than 1 handler type')),
  ]
}

function actionErrors(handler: Handler, path: string, name: Exclude<HandlerName, 'sleep'>): FieldError[] {
  if (name === 'exec') {
    return (handler.exec?.command ?? []).length > 0 ? [] : [required(`${path}.exec.command`, '')]
  }
  return [
    ...checkPortOrName(`${path}.${name}.port`, handler[name]?.port ?? 0),
    ...(name === 'httpGet'
      ? checkOptionalChoice(`${path}.httpGet.scheme`, handler.httpGet?.scheme, ['HTTP', 'HTTPS'])
      : []),
  ]
}

/** `validateSleepAction` of Kubernetes v1.36.3. */
function sleepErrors({ sleep }: Handler, field: string, graceSeconds: number | undefined): FieldError[] {
  const { seconds = 0 } = sleep ?? {}
  if (graceSeconds === undefined || (seconds >= 0 && seconds <= graceSeconds)) return []
  const why = `must be non-negative and less than terminationGracePeriodSeconds (${graceSeconds})`
  return [invalidValue(field, seconds, why)]
}
