import type { Case, CaseGroup } from '../case.js'
import { type ErrorSubject, refuses } from '../refuses.js'

const core = (kind: string): ErrorSubject => ({ kind })
const storage = (kind: string): ErrorSubject => ({ kind, group: 'storage.k8s.io' })
const networking = (kind: string): ErrorSubject => ({ kind, group: 'networking.k8s.io' })
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const standard = 'must be a standard resource type or fully qualified'
const id = 'must be between 0 and 2147483647, inclusive'
const profiles = 'supported values: "Localhost", "RuntimeDefault", "Unconfined"'
const negative = 'must be greater than or equal to 0'

/** A change that an object must not have. It has the name of the case's namespace, or `a` inside of one. */
function refusesChange(
  name: string,
  resource: string,
  { object, patch }: { readonly object: object; readonly patch: object },
  ...because: readonly string[]
): Case {
  return {
    name,
    source: 'k8s.io/kubernetes pkg/apis @ v1.36.3',
    async run({ make, patch: send, namespace, delete: remove, expect }) {
      await make(resource, { metadata: { name: namespace }, ...object })
      const { status, body } = await send(`${resource}/${namespace}`, 'merge', patch)
      await remove(`${resource}/${namespace}`)
      const causes = (body.details as { causes?: { field: string; message: string }[] } | undefined)?.causes
      expect.same([status, causes?.map(({ field, message }) => `${field}: ${message}`)], [422, because])
    },
  }
}

const limits = (limit: object) => ({ spec: { limits: [limit] } })
const quota = (hard: object, spec = {}) => ({ spec: { hard, ...spec } })
const container = { name: 'c', image: 'i' }

/** Errors of kinds that few programs write. */
export const rarerKinds: CaseGroup = {
  name: 'rarer-kinds',
  cases: [
    refuses(
      'a PodTemplate has a valid template',
      'podtemplates',
      core('PodTemplate'),
      { template: { metadata: { labels: { a: 'é' } }, spec: { containers: [{ ...container, name: 'A' }] } } },
      "template.labels: Invalid value: \"é\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
      "template.spec.containers[0].name: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
    ),
    refuses(
      'the security contexts of a template',
      'podtemplates',
      core('PodTemplate'),
      {
        template: {
          spec: {
            containers: [
              {
                ...container,
                securityContext: {
                  runAsUser: -1,
                  seccompProfile: { type: 'Odd' },
                  appArmorProfile: { type: 'Localhost', localhostProfile: ' a' },
                },
              },
            ],
            securityContext: {
              fsGroup: -1,
              supplementalGroups: [-1],
              fsGroupChangePolicy: 'Odd',
              seccompProfile: { type: 'Localhost' },
              appArmorProfile: { type: 'Odd' },
              supplementalGroupsPolicy: 'Odd',
              seLinuxChangePolicy: 'Odd',
            },
          },
        },
      },
      `template.spec.containers[0].securityContext.runAsUser: Invalid value: -1: ${id}`,
      `template.spec.containers[0].securityContext.seccompProfile.type: Unsupported value: "Odd": ${profiles}`,
      'template.spec.containers[0].securityContext.appArmorProfile.localhostProfile: Invalid value: " a": must not be padded with whitespace',
      `template.spec.securityContext.fsGroup: Invalid value: -1: ${id}`,
      `template.spec.securityContext.supplementalGroups[0]: Invalid value: -1: ${id}`,
      'template.spec.securityContext.fsGroupChangePolicy: Unsupported value: "Odd": supported values: "Always", "OnRootMismatch"',
      'template.spec.securityContext.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost',
      `template.spec.securityContext.appArmorProfile.type: Unsupported value: "Odd": ${profiles}`,
      'template.spec.securityContext.supplementalGroupsPolicy: Unsupported value: "Odd": supported values: "Merge", "Strict"',
      'template.spec.securityContext.seLinuxChangePolicy: Unsupported value: "Odd": supported values: "Recursive"',
    ),
    {
      name: 'a PodTemplate warns like a workload',
      source: 'k8s.io/kubernetes pkg/registry/core/podtemplate/strategy.go @ v1.36.3',
      async run({ post, patch, expect }) {
        const spec = { containers: [container], nodeSelector: { 'beta.kubernetes.io/os': 'linux' } }
        const created = await post('podtemplates', { metadata: { name: 'a' }, template: { spec } })
        const warning = /template\.spec\.nodeSelector\[beta\.kubernetes\.io\/os\]: deprecated since v1\.14/
        expect.has(created.headers, { warning })
        const same = await patch('podtemplates/a', 'merge', { metadata: { labels: { a: 'b' } } })
        expect.has(same.headers, { warning: undefined })
        const { containers } = spec
        const changed = await patch('podtemplates/a', 'merge', {
          template: { spec: { containers, hostNetwork: true } },
        })
        expect.has(changed.headers, { warning })
      },
    },
    refuses(
      'the limits of pods',
      'limitranges',
      core('LimitRange'),
      limits({
        type: 'Pod',
        max: { cpu: '1' },
        min: { cpu: '2' },
        default: { cpu: '1' },
        defaultRequest: { x: '1' },
      }),
      "spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'",
      "spec.limits[0].defaultRequest: Forbidden: may not be specified when `type` is 'Pod'",
      'spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1',
    ),
    refuses(
      'the limits of containers',
      'limitranges',
      core('LimitRange'),
      limits({
        type: 'Container',
        max: { memory: '4Gi' },
        min: { memory: '2Gi' },
        default: { memory: '1Gi' },
        defaultRequest: { memory: '8Gi' },
        maxLimitRequestRatio: { memory: '3' },
      }),
      'spec.limits[0].defaultRequest[memory]: Invalid value: "8Gi": default request value 8Gi is greater than max value 4Gi',
      'spec.limits[0].defaultRequest[memory]: Invalid value: "8Gi": default request value 8Gi is greater than default limit value 1Gi',
      'spec.limits[0].default[memory]: Invalid value: "2Gi": min value 2Gi is greater than default value 1Gi',
      'spec.limits[0].maxLimitRequestRatio[memory]: Invalid value: "3": ratio 3 is greater than max/min = 2.000000',
    ),
    refuses(
      'the names of limited resources',
      'limitranges',
      core('LimitRange'),
      limits({ type: 'Pod', max: { pods: '1' }, min: { 'requests.example.com/gpu': '1' } }),
      'spec.limits[0].max[pods]: Invalid value: "pods": must be a standard resource for containers',
      'spec.limits[0].min[requests.example.com/gpu]: Invalid value: "requests.example.com/gpu": doesn\'t follow extended resource name standard',
    ),
    refuses(
      'a limited resource with the name of a member of every JavaScript object',
      'limitranges',
      core('LimitRange'),
      limits({ type: 'Pod', max: { constructor: '1' } }),
      `spec.limits[0].max[constructor]: Invalid value: "constructor": ${standard}`,
      'spec.limits[0].max[constructor]: Invalid value: "constructor": must be a standard resource for containers',
    ),
    refuses(
      'the types of limits',
      'limitranges',
      core('LimitRange'),
      {
        spec: {
          limits: [
            { type: 'PersistentVolumeClaim', default: { storage: '1Gi' } },
            { type: 'Thing', max: { cpu: '1' } },
            { type: 'Thing', max: { thing: '1' } },
          ],
        },
      },
      'spec.limits[0].limits: Required value: either minimum or maximum storage value is required, but neither was provided',
      'spec.limits[1].type: Invalid value: "Thing": must be a standard limit type or fully qualified',
      'spec.limits[2].type: Invalid value: "Thing": must be a standard limit type or fully qualified',
      'spec.limits[2].type: Duplicate value: "Thing"',
      `spec.limits[2].max[thing]: Invalid value: "thing": ${standard}`,
    ),
    refuses(
      'a device has one limit',
      'limitranges',
      core('LimitRange'),
      limits({
        type: 'Container',
        default: { 'example.com/gpu': '2' },
        defaultRequest: { 'example.com/gpu': '1' },
      }),
      'spec.limits[0].defaultRequest[example.com/gpu]: Invalid value: "1": default value 2 must equal to defaultRequest value 1 in example.com/gpu',
    ),
    refuses(
      'the resources of a quota',
      'resourcequotas',
      core('ResourceQuota'),
      quota({ Pods: '1' }),
      `spec.hard[Pods]: Invalid value: "Pods": ${standard}`,
      'spec.hard[Pods]: Invalid value: "Pods": must be a standard resource for quota',
    ),
    refuses(
      'the amounts of a quota',
      'resourcequotas',
      core('ResourceQuota'),
      quota({ pods: '-1500m' }),
      `spec.hard[pods]: Invalid value: "-1500m": ${negative}`,
      'spec.hard[pods]: Invalid value: "-1500m": must be an integer',
    ),
    refuses(
      'the scopes of a quota',
      'resourcequotas',
      core('ResourceQuota'),
      quota({ services: '1' }, { scopes: ['BestEffort', 'NotBestEffort', 'Odd'] }),
      'spec.scopes: Invalid value: ["BestEffort","NotBestEffort","Odd"]: unsupported scope applied to resource',
      'spec.scopes: Invalid value: ["BestEffort","NotBestEffort","Odd"]: unsupported scope applied to resource',
      'spec.scopes: Invalid value: ["BestEffort","NotBestEffort","Odd"]: unsupported scope',
      'spec.scopes: Invalid value: ["BestEffort","NotBestEffort","Odd"]: conflicting scopes',
    ),
    refuses(
      'a scope with the name of a member of every JavaScript object',
      'resourcequotas',
      core('ResourceQuota'),
      quota(
        { cpu: '1' },
        {
          scopes: ['constructor'],
          scopeSelector: { matchExpressions: [{ scopeName: 'toString', operator: 'Exists' }] },
        },
      ),
      'spec.scopes: Invalid value: ["constructor"]: unsupported scope',
      'spec.scopeSelector.matchExpressions.scopeName: Invalid value: "toString": unsupported scope',
    ),
    refuses(
      'the scope selector of a quota',
      'resourcequotas',
      core('ResourceQuota'),
      quota(
        { pods: '1' },
        {
          scopeSelector: {
            matchExpressions: [
              { scopeName: 'Terminating', operator: 'In' },
              { scopeName: 'PriorityClass', operator: 'Exists', values: ['high'] },
              { scopeName: 'Odd', operator: 'Like' },
            ],
          },
        },
      ),
      'spec.scopeSelector.matchExpressions.operator: Invalid value: "In": must be \'Exists\' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity',
      "spec.scopeSelector.matchExpressions.values: Required value: must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
      "spec.scopeSelector.matchExpressions.values: Invalid value: [\"high\"]: must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
      'spec.scopeSelector.matchExpressions.scopeName: Invalid value: "Odd": unsupported scope',
      'spec.scopeSelector.matchExpressions.operator: Invalid value: "Like": not a valid selector operator',
    ),
    refusesChange(
      'the scopes of a quota are immutable',
      'resourcequotas',
      {
        object: quota({ pods: '1' }, { scopes: ['BestEffort'] }),
        patch: { spec: { scopes: ['Terminating'] } },
      },
      'spec.scopes: Invalid value: ["Terminating"]: field is immutable',
    ),
    refuses(
      'the addresses and ports of Endpoints',
      'endpoints',
      core('Endpoints'),
      {
        subsets: [
          {
            ports: [
              { port: 0, name: 'a_b' },
              { port: 80, protocol: 'ICMP', appProtocol: 'é' },
            ],
          },
          {
            addresses: [
              { ip: '127.0.0.1', hostname: 'A.b' },
              { ip: 'x', nodeName: 'N' },
            ],
          },
        ],
      },
      'subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`',
      "subsets[0].ports[0].name: Invalid value: \"a_b\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      'subsets[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
      'subsets[0].ports[1].name: Required value',
      'subsets[0].ports[1].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"',
      "subsets[0].ports[1].appProtocol: Invalid value: \"é\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      "subsets[1].addresses[0].hostname: Invalid value: \"A.b\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      'subsets[1].addresses[0].ip: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
      'subsets[1].addresses[1].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      `subsets[1].addresses[1].nodeName: Invalid value: "N": ${subdomain}`,
      'subsets[1].addresses[1].ip: Invalid value: "x": must be a valid IP address',
    ),
    refuses(
      'a ControllerRevision has data',
      'controllerrevisions',
      { kind: 'ControllerRevision', group: 'apps' },
      { revision: -1 },
      `revision: Invalid value: -1: ${negative}`,
      'data: Required value: data is mandatory',
    ),
    refusesChange(
      'the data of a ControllerRevision are immutable',
      'controllerrevisions',
      { object: { revision: 1, data: { a: 1 } }, patch: { data: { a: 2 } } },
      'data: Invalid value: {"a":2}: field is immutable',
    ),
    refuses(
      'a CSIDriver',
      'csidrivers',
      storage('CSIDriver'),
      {
        spec: {
          fsGroupPolicy: 'Odd',
          tokenRequests: [{ audience: 'a', expirationSeconds: 599 }, { audience: 'a' }],
          volumeLifecycleModes: ['Odd'],
          nodeAllocatableUpdatePeriodSeconds: 9,
        },
      },
      'spec.fsGroupPolicy: Unsupported value: "Odd": supported values: "File", "None", "ReadWriteOnceWithFSType"',
      'spec.tokenRequests[0].expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
      'spec.tokenRequests[1].audience: Duplicate value: "a"',
      'spec.volumeLifecycleModes: Unsupported value: "Odd": supported values: "Persistent", "Ephemeral"',
      'spec.nodeAllocatableUpdatePeriodSeconds: Invalid value: 9: must be greater than or equal to 10 seconds',
    ),
    refusesChange(
      'how a CSIDriver attaches is immutable',
      'csidrivers',
      {
        object: { spec: { attachRequired: true } },
        patch: {
          spec: {
            attachRequired: false,
            volumeLifecycleModes: ['Ephemeral'],
            serviceAccountTokenInSecrets: true,
          },
        },
      },
      'spec.serviceAccountTokenInSecrets: Invalid value: true: serviceAccountTokenInSecrets is set but no tokenRequests are specified',
      'spec.attachedRequired: Invalid value: false: field is immutable',
      'spec.volumeLifecycleModes: Invalid value: ["Ephemeral"]: field is immutable',
    ),
    refuses(
      'the drivers of a CSINode',
      'csinodes',
      storage('CSINode'),
      {
        spec: {
          drivers: [
            { name: 'a', nodeID: '', topologyKeys: ['x', 'x', ''], allocatable: { count: -1 } },
            { name: 'a', nodeID: 'n' },
            { name: 'é', nodeID: 'n' },
          ],
        },
      },
      'spec.drivers[0].nodeID: Required value',
      `spec.drivers[0].allocatable.count: Invalid value: -1: ${negative}`,
      'spec.drivers[0]: Duplicate value: "x"',
      'spec.drivers[0]: Required value',
      'spec.drivers[0]: Invalid value: "": name part must be non-empty',
      "spec.drivers[0]: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      'spec.drivers[1].name: Duplicate value: "a"',
      `spec.drivers[2].name: Invalid value: "é": ${subdomain}`,
    ),
    refusesChange(
      'a driver of a CSINode is immutable',
      'csinodes',
      {
        object: { spec: { drivers: [{ name: 'a', nodeID: 'n' }] } },
        patch: { spec: { drivers: [{ name: 'a', nodeID: 'm', topologyKeys: ['x'] }] } },
      },
      'spec.drivers: Invalid value: {"Name":"a","NodeID":"m","TopologyKeys":["x"],"Allocatable":null}: field is immutable',
    ),
    refuses(
      'a CSIStorageCapacity',
      'csistoragecapacities',
      storage('CSIStorageCapacity'),
      {
        nodeTopology: { matchExpressions: [{ key: 'a', operator: 'Odd' }] },
        storageClassName: 'A',
        capacity: '-1Gi',
      },
      'nodeTopology.matchExpressions[0].operator: Invalid value: "Odd": not a valid selector operator',
      `storageClassName: Invalid value: "A": ${subdomain}`,
      `capacity: Invalid value: "-1Gi": ${negative}`,
    ),
    refusesChange(
      'what a CSIStorageCapacity is about is immutable',
      'csistoragecapacities',
      {
        object: { storageClassName: 'a', capacity: '1Gi' },
        patch: { storageClassName: 'b', nodeTopology: { matchLabels: { a: 'b' } }, capacity: '2Gi' },
      },
      'nodeTopology: Invalid value: {"matchLabels":{"a":"b"}}: field is immutable',
      'storageClassName: Invalid value: "b": field is immutable',
    ),
    refuses(
      'a VolumeAttachment has one source',
      'volumeattachments',
      storage('VolumeAttachment'),
      { spec: { attacher: '', nodeName: 'N', source: {} } },
      'spec.attacher: Required value',
      'spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName',
      `spec.nodeName: Invalid value: "N": ${subdomain}`,
    ),
    refuses(
      'an inline volume of a VolumeAttachment',
      'volumeattachments',
      storage('VolumeAttachment'),
      {
        spec: {
          attacher: 'a',
          nodeName: 'n',
          source: {
            inlineVolumeSpec: { capacity: { storage: '1Gi' }, storageClassName: 's', volumeMode: 'Block' },
          },
        },
      },
      'spec.source.inlineVolumeSpec.capacity: Forbidden: may not be specified in the context of inline volumes',
      'spec.source.inlineVolumeSpec.csi: Required value: has to be specified in the context of inline volumes',
      'spec.source.inlineVolumeSpec.accessModes: Required value',
      'spec.source.inlineVolumeSpec: Required value: must specify a volume type',
      'spec.source.inlineVolumeSpec.storageClassName: Forbidden: may not be specified in the context of inline volumes',
      'spec.source.inlineVolumeSpec.volumeMode: Forbidden: may not specify volumeMode other than Filesystem in the context of inline volumes',
    ),
    refusesChange(
      'the spec of a VolumeAttachment is immutable',
      'volumeattachments',
      {
        object: { spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'v' } } },
        patch: { spec: { nodeName: 'm' } },
      },
      'spec: Invalid value: {"Attacher":"a","Source":{"PersistentVolumeName":"v","InlineVolumeSpec":null},"NodeName":"m"}: field is immutable',
    ),
    refuses(
      'a VolumeAttributesClass has a driver and parameters',
      'volumeattributesclasses',
      storage('VolumeAttributesClass'),
      { driverName: '' },
      'driverName: Required value',
      'parameters: Required value: must contain at least one key/value pair',
    ),
    refuses(
      'the parameters of an IngressClass',
      'ingressclasses',
      networking('IngressClass'),
      { spec: { controller: 'a', parameters: { apiGroup: 'A', kind: '', name: 'a/b', scope: 'Namespace' } } },
      'spec.controller: Invalid value: "a": must be a domain-prefixed path (such as "acme.io/foo")',
      `spec.parameters.apiGroup: Invalid value: "A": ${subdomain}`,
      'spec.parameters.kind: Required value',
      'spec.parameters.name: Invalid value: "a/b": may not contain \'/\'',
      "spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'",
    ),
    refusesChange(
      'the controller of an IngressClass is immutable',
      'ingressclasses',
      {
        object: { spec: { controller: 'example.com/a' } },
        patch: {
          spec: {
            controller: 'example.com/b',
            parameters: { kind: 'k', name: 'n', scope: 'Cluster', namespace: 'x' },
          },
        },
      },
      'spec.controller: Invalid value: "example.com/b": field is immutable',
      "spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'",
    ),
    refuses(
      'the name and the parent of an IPAddress',
      'ipaddresses',
      { ...networking('IPAddress'), name: '10.0.0.01' },
      { spec: { parentRef: { group: 'A', resource: '', name: 'a/b' } } },
      'metadata.name: Invalid value: "10.0.0.01": must not have leading 0s',
      `spec.parentRef.group: Invalid value: "A": ${subdomain}`,
      'spec.parentRef.resource: Required value',
      'spec.parentRef.name: Invalid value: "a/b": may not contain \'/\'',
    ),
    refuses(
      'the name of an IPAddress is in canonical form',
      'ipaddresses',
      { ...networking('IPAddress'), name: '2001:DB8:0::1' },
      {},
      'metadata.name: Invalid value: "2001:DB8:0::1": must be in canonical form ("2001:db8::1")',
      'spec.parentRef: Required value',
    ),
    refuses(
      'the ranges of a ServiceCIDR',
      'servicecidrs',
      networking('ServiceCIDR'),
      { spec: { cidrs: ['10.0.0.1/24', '10.1.0.0/24'] } },
      'spec.cidrs[0]: Invalid value: "10.0.0.1/24": must not have bits set beyond the prefix length',
      'spec.cidrs: Invalid value: ["10.0.0.1/24","10.1.0.0/24"]: may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64',
    ),
    refuses(
      'a range of a ServiceCIDR is in canonical form',
      'servicecidrs',
      networking('ServiceCIDR'),
      { spec: { cidrs: ['FD00::/64', '::ffff:10.0.0.0/120'] } },
      'spec.cidrs[0]: Invalid value: "FD00::/64": must be in canonical form ("fd00::/64")',
      'spec.cidrs[1]: Invalid value: "::ffff:10.0.0.0/120": must not have an IPv4-mapped IPv6 address',
    ),
    refuses(
      'the overhead and the placement of a RuntimeClass',
      'runtimeclasses',
      { kind: 'RuntimeClass', group: 'node.k8s.io' },
      {
        handler: 'h',
        overhead: { podFixed: { pods: '-1' } },
        scheduling: {
          tolerations: [
            { key: 'a', operator: 'Exists', value: 'b' },
            { key: 'a', operator: 'Exists', value: 'b' },
          ],
        },
      },
      'overhead.limits[pods]: Invalid value: "pods": must be a standard resource for containers',
      `overhead.limits[pods]: Invalid value: "-1": ${negative}`,
      'scheduling.tolerations[0].operator: Invalid value: "b": value must be empty when `operator` is \'Exists\'',
      'scheduling.tolerations[1].operator: Invalid value: "b": value must be empty when `operator` is \'Exists\'',
      'scheduling.tolerations[1]: Duplicate value: {"Key":"a","Operator":"Exists","Value":"b","Effect":"","TolerationSeconds":null}',
    ),
    refuses(
      'the type and the limits of a priority level',
      'prioritylevelconfigurations',
      { kind: 'PriorityLevelConfiguration', group: 'flowcontrol.apiserver.k8s.io' },
      {
        spec: {
          type: 'Limited',
          limited: {
            nominalConcurrencyShares: -1,
            lendablePercent: 101,
            borrowingLimitPercent: -1,
            limitResponse: { type: 'Queue', queuing: { queues: 64, handSize: 11, queueLengthLimit: -1 } },
          },
        },
      },
      'spec.limited.nominalConcurrencyShares: Invalid value: -1: must be a non-negative integer',
      'spec.limited.limitResponse.queuing.queueLengthLimit: Invalid value: -1: must be positive',
      'spec.limited.limitResponse.queuing.handSize: Invalid value: 11: required entropy bits of deckSize 64 and handSize 11 should not be greater than 60',
      'spec.limited.lendablePercent: Invalid value: 101: must be between 0 and 100, inclusive',
      'spec.limited.borrowingLimitPercent: Invalid value: -1: if specified, must be a non-negative integer',
    ),
    refuses(
      'only one priority level is exempt',
      'prioritylevelconfigurations',
      { kind: 'PriorityLevelConfiguration', group: 'flowcontrol.apiserver.k8s.io' },
      {
        spec: {
          type: 'Exempt',
          limited: { limitResponse: { type: 'Reject' } },
          exempt: { lendablePercent: -1 },
        },
      },
      "spec.type: Invalid value: \"Exempt\": must be 'Exempt' if and only if `name` is 'exempt'",
      'spec.limited: Forbidden: must be nil if the type is not Limited',
      'spec.exempt.lendablePercent: Invalid value: -1: must be between 0 and 100, inclusive',
    ),
    refuses(
      'the precedence and the method of a FlowSchema',
      'flowschemas',
      { kind: 'FlowSchema', group: 'flowcontrol.apiserver.k8s.io' },
      {
        spec: {
          matchingPrecedence: 10001,
          distinguisherMethod: { type: 'Odd' },
          priorityLevelConfiguration: { name: 'A' },
        },
      },
      'spec.matchingPrecedence: Invalid value: 10001: must not be greater than 10000',
      'spec.distinguisherMethod.type: Unsupported value: {"Type":"Odd"}: supported values: "ByNamespace", "ByUser"',
      `spec.priorityLevelConfiguration.name: Invalid value: "A": ${subdomain}`,
    ),
    refusesChange(
      'the handler of a RuntimeClass is immutable',
      'runtimeclasses',
      { object: { handler: 'a' }, patch: { handler: 'b' } },
      'handler: Invalid value: "b": field is immutable',
    ),
    refuses(
      'the finalizers of a namespace are known or have a prefix',
      'namespaces',
      { kind: 'Namespace', name: 'rarer-kinds-finalizer' },
      { spec: { finalizers: ['odd'] } },
      'spec.finalizers: Invalid value: "odd": name is neither a standard finalizer name nor is it fully qualified',
    ),
    {
      name: 'a namespace keeps its finalizers and its phase',
      source: 'k8s.io/kubernetes pkg/registry/core/namespace/strategy.go @ v1.36.3',
      async run({ post, namespace, patch, expect }) {
        const body = { metadata: { name: `${namespace}-2` }, spec: { finalizers: ['example.com/a'] } }
        expect.answer(await post('namespaces?dryRun=All', body), 201, {
          spec: { finalizers: ['example.com/a', 'kubernetes'] },
        })
        const phase = { status: { phase: 'Terminating' } }
        const { status, body: answer } = await patch(`namespaces/${namespace}/status`, 'merge', phase)
        expect.same(status, 422)
        expect.has(answer, {
          message: `Namespace "${namespace}" is invalid: status.Phase: Invalid value: "Terminating": may only be 'Active' if \`deletionTimestamp\` is empty`,
        })
      },
    },
  ],
}
