import { type OpenObject, recordOf } from '../base/object.js'
import { ownEntry } from '../base/own-entry.js'
import { forbidden } from '../request/status.js'
import type { KindServices } from '../resources/kind-rules.js'

type Spec = Record<string, unknown>

const classes = 'priorityclasses.scheduling.k8s.io'
/** The classes that every cluster has. */
const systemPriorities: Readonly<Record<string, number>> = {
  'system-cluster-critical': 2_000_000_000,
  'system-node-critical': 2_000_001_000,
}
const preempt = 'PreemptLowerPriority'

interface ClassPriority {
  readonly name: string
  readonly priority: number
  readonly policy: string
}

/** Sets the priority of a new pod from its class; `Priority`. Throws 403. */
export function withPriority({ metadata }: OpenObject, spec: Spec, services: KindServices): Spec {
  const refuse = (why: string) => forbidden({ group: '', plural: 'pods' }, metadata.name ?? '', why)
  const classPriority = priorityByClassName(String(spec.priorityClassName ?? ''), services)
  if (classPriority === undefined) {
    throw refuse(`no PriorityClass with name ${spec.priorityClassName} was found`)
  }
  const { name, priority, policy } = classPriority
  if ((spec.priority ?? priority) !== priority) {
    throw refuse(`the integer value of priority (${spec.priority}) ${priorityMismatch(priority)}`)
  }
  if ((spec.preemptionPolicy ?? policy) !== policy) {
    throw refuse(
      `the string value of PreemptionPolicy (${spec.preemptionPolicy}) ${priorityMismatch(policy)}`,
    )
  }
  const named = name === '' ? {} : { priorityClassName: name }
  return { priority, preemptionPolicy: policy, ...spec, ...named }
}

function priorityMismatch(value: unknown): string {
  return `must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`
}

function priorityByClassName(name: string, services: KindServices): ClassPriority | undefined {
  const priorityClass = name === '' ? defaultClass(services) : services.find(classes, '', name)
  if (priorityClass !== undefined) return priorityOfClass(priorityClass)
  if (name === '') return { name, priority: 0, policy: preempt }
  const priority = ownEntry(systemPriorities, name)
  return priority === undefined ? undefined : { name, priority, policy: preempt }
}

function priorityOfClass(priorityClass: OpenObject): ClassPriority {
  const { value = 0, preemptionPolicy = preempt } = recordOf(priorityClass)
  return {
    name: priorityClass.metadata.name ?? '',
    priority: Number(value),
    policy: String(preemptionPolicy),
  }
}

/** The class of pods without a class: the lowest default class. */
export function defaultClass(services: KindServices): OpenObject | undefined {
  const defaults = [...services.all(classes)].filter(({ globalDefault }) => globalDefault === true)
  return defaults.sort((a, b) => Number(a.value ?? 0) - Number(b.value ?? 0))[0]
}
