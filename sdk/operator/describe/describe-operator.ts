import { type CustomResourceDefinition, leases } from '../../engine/kube/builtin.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { formatResource, type Resource } from '../../engine/kube/resource.js'
import type { AccessRule } from '../../engine/manager/unit-source.js'
import { terminatingNamespaceRules } from '../controller/access-rules.js'
import { finalizerName } from '../controller/finalizer-name.js'
import type { RegistrableController } from '../engine/controller.js'
import { needsConversion } from '../kind/conversion/kind-converter.js'
import { crdOf } from '../kind/definition/crd-of.js'
import { uncheckedRules } from '../kind/rules/unchecked-rules.js'
import { mainCluster } from '../main-cluster.js'
import type { OperatorOptions } from '../operator-options.js'
import { asAdmission, isDefinedKind, type WebhookKind } from '../webhook/admission.js'
import { webhookConversion } from '../webhook/webhook-configurations.js'
import { certManagerCertificate, describeWebhooks, endpointOf } from './describe-webhooks.js'
import type { ControllerDescription, KindDescription, OperatorDescription } from './operator-description.js'
import { webhookRules } from './webhook-rules.js'

/**
 * Describes what was registered. The namespace is that of `POD_NAMESPACE`, which commands set; default `<name>-system`.
 */
export function describeOperator(
  options: OperatorOptions,
  controllers: readonly RegistrableController[],
): OperatorDescription {
  const { name, env = process.env, leaseNamespace, namespace, leaderElection = true, webhooks } = options
  const ownNamespace = leaseNamespace ?? (env.POD_NAMESPACE || `${name}-system`)
  const clusters = Object.keys(options.clusters ?? { [mainCluster]: {} })
  const operatorName = { name, namespace: ownNamespace }
  return {
    kind: 'OperatorDescription',
    name,
    ownNamespace,
    ...(namespace !== undefined && { namespace }),
    clusters,
    stopDeadlineMs: options.stopDeadlineMs ?? 10_000,
    isElected: leaderElection,
    controllers: controllers.map((one) => describeController(one, { clusters, ownNamespace, namespace })),
    ownRules: ownRulesOf(options, operatorName),
    kinds: kindsOf(options, { controllers, clusters, ownNamespace }),
    ...(controllers.some((one) => one.writesTemporaryFiles) && { writesTemporaryFiles: true as const }),
    ...(webhooks && { webhooks: describeWebhooks(webhooks, operatorName) }),
  }
}

function describeController(
  { name, resource, options, accessRules }: RegistrableController,
  { clusters: [first = mainCluster], ownNamespace, namespace }: Omit<DescribedOperator, 'controllers'>,
): ControllerDescription {
  const { group, version, kind, plural, namespaced } = resource
  // Only a ServiceAccount in the deleted namespace goes with it. One elsewhere must still finish the objects there.
  const isElsewhere = namespace !== undefined && namespace !== ownNamespace && !options.namespaces
  const rules = [
    ...accessRules,
    ...(isElsewhere ? terminatingNamespaceRules(resource, { ...options, namespaces: [namespace] }) : []),
  ]
  return {
    name,
    cluster: options.cluster ?? first,
    resource: { group, version, kind, plural, namespaced },
    finalizer: finalizerName(resource, { name, finalizer: options.finalizer }),
    rules: rules.map((rule) => (rule.isOwn ? ownRule(rule, ownNamespace) : rule)),
  }
}

/** Replaces `isOwn`, which means the operator's own namespace, by the name of that namespace. */
const ownRule = ({ isOwn: _, ...rule }: AccessRule, namespace: string): AccessRule => ({ ...rule, namespace })

/** The rules for the Leases and the webhooks of the operator itself. */
function ownRulesOf(
  { leaderElection = true, shards, webhooks }: OperatorOptions,
  operatorName: { name: string; namespace: string },
): AccessRule[] {
  const leaseRules = leaderElection ? leaseRulesOf(operatorName, shards) : []
  return [...leaseRules, ...(webhooks ? webhookRules(webhooks, operatorName) : [])]
}

/** RBAC cannot restrict `create` to a name. Replicas that share the work have a Lease each, whose name is not known. */
function leaseRulesOf({ name, namespace }: { name: string; namespace: string }, shards = 1): AccessRule[] {
  const { group, plural } = leases
  const lease = { group, resource: plural, namespace }
  if (shards > 1) return [{ ...lease, verbs: ['get', 'list', 'create', 'update', 'delete'] }]
  return [
    { ...lease, verbs: ['create'] },
    { ...lease, verbs: ['get', 'update'], names: [name] },
  ]
}

interface DescribedOperator {
  controllers: readonly RegistrableController[]
  clusters: readonly string[]
  ownNamespace: string
  /** The only namespace that the operator sees; undefined for all. */
  namespace?: string | undefined
}

function kindsOf(
  options: OperatorOptions,
  { controllers, clusters: [first = mainCluster], ownNamespace }: DescribedOperator,
): KindDescription[] {
  const primaries = controllers.map(({ resource, options: { cluster = first } }) => ({ cluster, resource }))
  const intercepted = (options.webhooks?.kinds ?? []).map((kind) => ({
    cluster: first,
    resource: asAdmission(kind).resource,
  }))
  const kinds = new Map<string, KindDescription>()
  for (const { cluster, resource } of [...primaries, ...intercepted]) {
    const id = `${cluster} ${formatResource(resource)}`
    if (!kinds.has(id) && isDefinedKind(resource as Resource<KubeObject>))
      kinds.set(id, describeKind(resource as WebhookKind, cluster, { options, ownNamespace }))
  }
  for (const {
    resource,
    definition,
    options: { cluster = first },
  } of controllers) {
    const id = `${cluster} ${formatResource(resource)}`
    if (definition && !kinds.has(id)) kinds.set(id, describeDefined(resource, definition, cluster))
  }
  return [...kinds.values()]
}

function describeDefined(
  { group, version, kind, plural, namespaced }: Resource,
  definition: CustomResourceDefinition,
  cluster: string,
): KindDescription {
  const resource = { group, version, kind, plural, namespaced }
  const hasScale = definition.spec.versions.some(({ subresources }) => subresources?.scale !== undefined)
  return { cluster, resource, hasScale, definition }
}

function describeKind(
  kind: WebhookKind,
  cluster: string,
  { options, ownNamespace }: { options: OperatorOptions; ownNamespace: string },
): KindDescription {
  const { group, version, plural, namespaced } = kind
  const definition = definitionOf(kind, { options, ownNamespace })
  const unchecked = uncheckedRules(kind as never)
  return {
    cluster,
    resource: { group, version, kind: kind.kind, plural, namespaced },
    hasScale: definition.spec.versions.some(({ subresources }) => subresources?.scale !== undefined),
    definition,
    ...(unchecked.length > 0 && { unchecked }),
  }
}

/** With a self-signed certificate the operator itself writes the conversion, when its webhook server can be reached. */
function definitionOf(
  kind: WebhookKind,
  { options: { name, webhooks }, ownNamespace }: { options: OperatorOptions; ownNamespace: string },
): CustomResourceDefinition {
  const isPrinted = webhooks && webhooks.certificate !== 'selfSigned' && needsConversion(kind)
  if (!isPrinted) return crdOf(kind as never)
  const operatorName = { name, namespace: ownNamespace }
  const definition = crdOf(kind as never, {
    conversion: webhookConversion(kind, { endpoint: endpointOf(webhooks, operatorName) }),
  })
  const annotations = { 'cert-manager.io/inject-ca-from': certManagerCertificate(operatorName) }
  return { ...definition, metadata: { ...definition.metadata, annotations } }
}
