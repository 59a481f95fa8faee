import { services } from '../../../engine/kube/builtin.js'
import { PermanentError } from '../../../engine/kube/error.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { HostNaming } from '../../naming/naming.js'

/** `alb.ingress.kubernetes.io/actions.NAME` and `conditions.NAME`, where NAME is a backend of the Ingress. */
const albKey = /^(alb\.ingress\.kubernetes\.io\/(?:actions|conditions)\.)(.+)$/

/** The controller reads the names of members without regard to case, as Unicode folds it: `ſerviceName` counts too. */
const serviceMember = /^servicename$/iu

/** Whether an annotation names Services for the load balancers of AWS. */
export const isAlbAnnotation = (key: string): boolean => albKey.test(key)

/**
 * Translates an Ingress's annotations for the load balancers of AWS to the names of the copies of Services, in their
 * keys and in the JSON of their values (`pkg/controllers/resources/ingresses/translate.go` @ vcluster v0.21.0). Throws
 * `PermanentError` for a value that is not JSON.
 */
export function withHostAlbAnnotations<T extends KubeObject>(object: T, naming: HostNaming): T {
  const { annotations = {}, namespace = '' } = object.metadata
  if (!Object.keys(annotations).some(isAlbAnnotation)) return object
  const hostName = (name: string) => naming.of(services).hostKey({ namespace, name })?.name ?? name
  const translated = Object.entries(annotations).map(([key, value]) => {
    const [, prefix, name] = albKey.exec(key) ?? []
    return prefix && name
      ? [`${prefix}${hostName(name)}`, withHostServices(key, value, hostName)]
      : [key, value]
  })
  return { ...object, metadata: { ...object.metadata, annotations: Object.fromEntries(translated) } }
}

function withHostServices(key: string, value: string, hostName: (name: string) => string): string {
  try {
    return JSON.stringify(JSON.parse(value), (member, inner) =>
      typeof inner === 'string' && inner !== '' && serviceMember.test(member) ? hostName(inner) : inner,
    )
  } catch {
    throw new PermanentError(
      `metadata.annotations."${key}" is not JSON, so the object is not copied. Correct it.`,
    )
  }
}
