import { kubectl, type Story } from '../command.js'

const noProse = 'The built-in kinds are explained without prose.'

const asOther = '--as=guest --as-group=none'

/** Commands with errors, for invalid or forbidden requests. */
export const refusing: Story = {
  name: 'refusing',
  commands: [
    kubectl('create namespace $NS'),
    kubectl('get configmap nothing', { code: 1 }),
    kubectl('get configmap nothing -o json', { code: 1 }),
    kubectl('describe configmap nothing', { code: 1 }),
    kubectl('get nonsense', { code: 1 }),
    kubectl('get nonsense.example.com', { code: 1 }),
    kubectl('get configmaps.v9', { code: 1 }),
    kubectl('delete deployment nothing', { code: 1 }),
    kubectl('scale deployment nothing --replicas=1', { code: 1 }),
    kubectl('patch configmap nothing -p {}', { code: 1 }),
    kubectl('create configmap x -n no-such-namespace', { code: 1 }),
    kubectl('create deployment web --image=', { code: 1 }),
    kubectl(`get configmaps ${asOther}`, { code: 1 }),
    kubectl(`get configmap one ${asOther}`, { code: 1 }),
    kubectl(`create configmap x ${asOther}`, { code: 1 }),
    kubectl(`delete configmap x ${asOther}`, { code: 1 }),
    kubectl(`get nodes ${asOther}`, { code: 1 }),
    kubectl(`get --raw /metrics ${asOther}`, { code: 1 }),
    kubectl('auth can-i create configmaps'),
    kubectl(`auth can-i create configmaps ${asOther}`, { code: 1 }),
    kubectl(`auth can-i get /version ${asOther}`),
    kubectl('create role reader --verb=get,list --resource=configmaps'),
    kubectl('create rolebinding readers --role=reader --user=guest'),
    kubectl(`auth can-i list configmaps ${asOther}`),
    kubectl(`auth can-i delete configmaps ${asOther}`, { code: 1 }),
    kubectl(`auth can-i --list ${asOther}`),
    kubectl(`get configmaps ${asOther}`),
    kubectl('auth can-i create nonsense'),
    kubectl('auth whoami'),
    kubectl('auth whoami -o yaml --as=somebody --as-group=some'),
    kubectl('auth reconcile -f -', {
      input:
        'apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: { name: reader, namespace: refusing }\nrules: [{ apiGroups: [""], resources: [secrets], verbs: [get] }]\n',
    }),
    kubectl('config current-context', { statusOnly: 'each server has its own name' }),
    kubectl('config view --minify', { statusOnly: 'each server has its own name' }),
    kubectl('cluster-info', { statusOnly: 'it names a service only if there is one' }),
    kubectl('version'),
    kubectl('api-versions'),
    kubectl('api-resources'),
    kubectl('api-resources --api-group=apps -o wide'),
    kubectl('api-resources --namespaced=false -o name'),
    kubectl('api-resources --verbs=deletecollection --api-group=batch --no-headers'),
    kubectl('explain configmap', { differs: noProse }),
    kubectl('explain deployment.spec.replicas', { differs: noProse }),
    kubectl('explain pod.spec.containers --recursive', { differs: noProse }),
    kubectl('explain configmap.nothing', { code: 1 }),
    kubectl('explain nonsense', { code: 1 }),
  ],
}
