/** A value of a chart. */
export interface ChartValue {
  name: string
  fallback: string | number | boolean | object
  /** A JSON schema of draft 7. */
  schema: Readonly<Record<string, unknown>> & { description: string }
}

const dnsLabel = '^[a-z]([-a-z0-9]*[a-z0-9])?$'

/** The value for the image of a program. */
export const imageValue = (fallback: string): ChartValue => ({
  name: 'image',
  fallback,
  schema: { type: 'string', minLength: 1, description: 'The image, with its tag or digest.' },
})

/** The value for the name of the vcluster that a standalone plugin belongs to. */
export const vclusterNameValue = (fallback: string): ChartValue => ({
  name: 'vclusterName',
  fallback,
  schema: {
    type: 'string',
    pattern: dnsLabel,
    maxLength: 50,
    description: 'The name of the vcluster in the namespace of the release.',
  },
})

/** The defaults of the values of an operator's chart. */
interface OperatorFallbacks {
  replicas: number
  memoryMiB: number
  priorityClass?: string | undefined
  networkPolicy: boolean
  serviceMonitor: boolean
}

const operatorSchemas = {
  replicas: { type: 'integer', minimum: 1, description: 'The number of Pods; one of them leads.' },
  memoryMiB: { type: 'integer', minimum: 64, description: 'The memory limit of a Pod, in MiB.' },
  priorityClassName: { type: 'string', description: 'The PriorityClass of the Pods; empty for none.' },
  networkPolicy: { type: 'boolean', description: 'Whether a NetworkPolicy guards the Pods.' },
  serviceMonitor: { type: 'boolean', description: 'Whether the Prometheus operator reads the metrics.' },
}

/** The values of an operator in addition to its image. */
export function operatorValues(fallbacks: OperatorFallbacks): ChartValue[] {
  const { replicas, memoryMiB, priorityClass = '', networkPolicy, serviceMonitor } = fallbacks
  const values = { replicas, memoryMiB, priorityClassName: priorityClass, networkPolicy, serviceMonitor }
  return Object.entries(operatorSchemas).map(([name, schema]) => ({
    name,
    fallback: values[name as keyof typeof values],
    schema,
  }))
}
