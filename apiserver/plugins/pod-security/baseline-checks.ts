import {
  type Check,
  containersText,
  type PodCheck,
  plural,
  quoteAll,
  settersText,
  sortedUnique,
} from './check.js'
import { seccompBaseline } from './seccomp-checks.js'

const allowedCapabilities = [
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]

const capabilities: PodCheck = ({ containers }) => {
  const foreign = (add: readonly string[] = []) => add.filter((name) => !allowedCapabilities.includes(name))
  const bad = containers.filter((each) => foreign(each.securityContext?.capabilities?.add).length > 0)
  if (bad.length === 0) return undefined
  const names = sortedUnique(bad.flatMap((each) => foreign(each.securityContext?.capabilities?.add)))
  const detail = `${containersText(bad)} must not include ${quoteAll(names)} in securityContext.capabilities.add`
  return { reason: 'non-default capabilities', detail }
}

const hostNamespaces: PodCheck = ({ spec }) => {
  const used = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((name) => spec[name] === true)
  if (used.length === 0) return undefined
  return { reason: 'host namespaces', detail: used.map((name) => `${name}=true`).join(', ') }
}

const hostPathVolumes: PodCheck = ({ spec: { volumes = [] } }) => {
  const used = volumes.filter((volume) => 'hostPath' in volume).map(({ name = '' }) => name)
  if (used.length === 0) return undefined
  return { reason: 'hostPath volumes', detail: `${plural(used.length, 'volume')} ${quoteAll(used)}` }
}

const hostPorts: PodCheck = ({ containers }) => {
  const portsOf = ({ ports = [] }: (typeof containers)[number]) =>
    ports.flatMap(({ hostPort = 0 }) => (hostPort === 0 ? [] : [String(hostPort)]))
  const bad = containers.filter((each) => portsOf(each).length > 0)
  if (bad.length === 0) return undefined
  const ports = sortedUnique(bad.flatMap(portsOf))
  const uses = plural(bad.length, 'uses', 'use')
  return {
    reason: 'hostPort',
    detail: `${containersText(bad)} ${uses} ${plural(ports.length, 'hostPort')} ${ports.join(', ')}`,
  }
}

const probeHosts: PodCheck = ({ containers }) => {
  const hostsOf = (each: (typeof containers)[number]) =>
    [
      each.livenessProbe,
      each.readinessProbe,
      each.startupProbe,
      each.lifecycle?.postStart,
      each.lifecycle?.preStop,
    ]
      .flatMap((handler) => [handler?.httpGet?.host, handler?.tcpSocket?.host])
      .flatMap((host) => (host ? [host] : []))
  const bad = containers.filter((each) => hostsOf(each).length > 0)
  if (bad.length === 0) return undefined
  const hosts = sortedUnique(bad.flatMap(hostsOf))
  const names = sortedUnique(bad.map(({ name = '' }) => name))
  const [uses, noun] = [plural(names.length, 'uses', 'use'), plural(hosts.length, 'probe or lifecycle host')]
  const detail = `${plural(names.length, 'container')} ${quoteAll(names)} ${uses} ${noun} ${quoteAll(hosts)}`
  return { reason: 'probe or lifecycle host', detail }
}

const privileged: PodCheck = ({ containers }) => {
  const bad = containers.filter((each) => each.securityContext?.privileged === true)
  if (bad.length === 0) return undefined
  const detail = `${containersText(bad)} must not set securityContext.privileged=true`
  return { reason: 'privileged', detail }
}

/** Also a check of the level `restricted`. */
export const procMount: PodCheck = ({ containers }) => {
  const bad = containers.filter(
    ({ securityContext }) => (securityContext?.procMount ?? 'Default') !== 'Default',
  )
  if (bad.length === 0) return undefined
  const types = sortedUnique(bad.map(({ securityContext }) => securityContext?.procMount ?? ''))
  const detail = `${containersText(bad)} must not set securityContext.procMount to ${quoteAll(types)}`
  return { reason: 'procMount', detail }
}

/** A check that does not apply to pods in a user namespace. */
export const unlessUserNamespace =
  (check: PodCheck): PodCheck =>
  (pod) =>
    pod.spec.hostUsers === false ? undefined : check(pod)

const selinuxTypes = ['', 'container_t', 'container_init_t', 'container_kvm_t']

const seLinuxOptions =
  (types: readonly string[]): PodCheck =>
  ({ spec, containers }) => {
    const isBad = ({ seLinuxOptions: options }: NonNullable<typeof spec.securityContext>) =>
      options !== undefined && (!types.includes(options.type ?? '') || Boolean(options.user || options.role))
    const isPod = isBad(spec.securityContext ?? {})
    const bad = containers.filter(({ securityContext = {} }) => isBad(securityContext))
    if (!isPod && bad.length === 0) return undefined
    const contexts = [...(isPod ? [spec] : []), ...bad].map(
      (each) => each.securityContext?.seLinuxOptions ?? {},
    )
    const badTypes = sortedUnique(
      contexts.map(({ type = '' }) => type).filter((type) => !types.includes(type)),
    )
    const problems = [
      ...(badTypes.length > 0 ? [`${plural(badTypes.length, 'type')} ${quoteAll(badTypes)}`] : []),
      ...(contexts.some(({ user }) => user) ? ['user may not be set'] : []),
      ...(contexts.some(({ role }) => role) ? ['role may not be set'] : []),
    ]
    const setters = settersText(isPod, bad)
    const detail = `${setters} set forbidden securityContext.seLinuxOptions: ${problems.join('; ')}`
    return { reason: 'seLinuxOptions', detail }
  }

const appArmor = 'container.apparmor.security.beta.kubernetes.io/'

const appArmorProfile: PodCheck = ({ annotations, spec, containers }) => {
  const isBad = (type: string | undefined) =>
    type !== undefined && type !== 'RuntimeDefault' && type !== 'Localhost'
  const podType = spec.securityContext?.appArmorProfile?.type
  const bad = containers.filter(({ securityContext }) => isBad(securityContext?.appArmorProfile?.type))
  const types = bad.map(({ securityContext }) => securityContext?.appArmorProfile?.type ?? '')
  const annotated = Object.entries(annotations)
    .filter(([key, value]) => key.startsWith(appArmor) && !isAppArmorValue(value))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .sort()
  const values = [...sortedUnique([...(isBad(podType) ? [String(podType)] : []), ...types]), ...annotated]
  if (values.length === 0) return undefined
  const setters = [
    settersText(isBad(podType), bad),
    ...(annotated.length > 0 ? [plural(annotated.length, 'annotation')] : []),
  ].filter((text) => text !== '')
  return {
    reason: plural(values.length, 'forbidden AppArmor profile'),
    detail: `${setters.join(' and ')} must not set AppArmor profile type to ${quoteAll(values)}`,
  }
}

const isAppArmorValue = (value: string) =>
  value === '' || value === 'runtime/default' || value.startsWith('localhost/')

const allowedSysctls: readonly { readonly since: number; readonly names: readonly string[] }[] = [
  {
    since: 0,
    names: [
      'kernel.shm_rmid_forced',
      'net.ipv4.ip_local_port_range',
      'net.ipv4.tcp_syncookies',
      'net.ipv4.ping_group_range',
      'net.ipv4.ip_unprivileged_port_start',
    ],
  },
  { since: 27, names: ['net.ipv4.ip_local_reserved_ports'] },
  {
    since: 29,
    names: [
      'net.ipv4.tcp_keepalive_time',
      'net.ipv4.tcp_fin_timeout',
      'net.ipv4.tcp_keepalive_intvl',
      'net.ipv4.tcp_keepalive_probes',
    ],
  },
  { since: 32, names: ['net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem'] },
]

const sysctls =
  (version: number): PodCheck =>
  ({ spec }) => {
    const allowed = allowedSysctls.filter(({ since }) => since <= version).flatMap(({ names }) => names)
    const used = (spec.securityContext?.sysctls ?? []).map(({ name = '' }) => name)
    const forbidden = used.filter((name) => !allowed.includes(name))
    return forbidden.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: forbidden.join(', ') }
  }

const windowsHostProcess: PodCheck = ({ spec, containers }) => {
  const isPod = spec.securityContext?.windowsOptions?.hostProcess === true
  const bad = containers.filter(
    ({ securityContext }) => securityContext?.windowsOptions?.hostProcess === true,
  )
  if (!isPod && bad.length === 0) return undefined
  const detail = `${settersText(isPod, bad)} must not set securityContext.windowsOptions.hostProcess=true`
  return { reason: 'hostProcess', detail }
}

const sinceFirstVersion = (check: PodCheck) => [{ since: 0, check }]

/** The checks of the level `baseline`, by their ids; k8s.io/pod-security-admission v0.36.3. */
export const baselineChecks: readonly Check[] = [
  { id: 'appArmorProfile', level: 'baseline', versions: sinceFirstVersion(appArmorProfile) },
  { id: 'capabilities_baseline', level: 'baseline', versions: sinceFirstVersion(capabilities) },
  { id: 'hostNamespaces', level: 'baseline', versions: sinceFirstVersion(hostNamespaces) },
  { id: 'hostPathVolumes', level: 'baseline', versions: sinceFirstVersion(hostPathVolumes) },
  { id: 'hostPorts', level: 'baseline', versions: sinceFirstVersion(hostPorts) },
  { id: 'hostProbesAndHostLifecycle', level: 'baseline', versions: [{ since: 34, check: probeHosts }] },
  { id: 'privileged', level: 'baseline', versions: sinceFirstVersion(privileged) },
  {
    id: 'procMount',
    level: 'baseline',
    versions: [...sinceFirstVersion(procMount), { since: 35, check: unlessUserNamespace(procMount) }],
  },
  {
    id: 'seLinuxOptions',
    level: 'baseline',
    versions: [
      ...sinceFirstVersion(seLinuxOptions(selinuxTypes)),
      { since: 31, check: seLinuxOptions([...selinuxTypes, 'container_engine_t']) },
    ],
  },
  seccompBaseline,
  {
    id: 'sysctls',
    level: 'baseline',
    versions: allowedSysctls.map(({ since }) => ({ since, check: sysctls(since) })),
  },
  { id: 'windowsHostProcess', level: 'baseline', versions: sinceFirstVersion(windowsHostProcess) },
]
