import { kubectl, type Story } from '../command.js'

const pod = `apiVersion: v1
kind: Pod
metadata: { name: runner, labels: { app: runner } }
spec:
  serviceAccountName: default
  containers:
    - name: main
      image: example.com/main:v1
      ports: [{ containerPort: 8080, name: http }]
      env: [{ name: LEVEL, value: debug }]
      resources: { limits: { cpu: 500m, memory: 64Mi } }
`

const labelled = (name: string, tier: string) => `apiVersion: v1
kind: ConfigMap
metadata: { name: ${name}, labels: { tier: ${tier} } }
data: { text: ${name} }
`

/** Every way to show objects. */
export const reading: Story = {
  name: 'reading',
  commands: [
    kubectl('create namespace $NS'),
    kubectl('get namespace $NS'),
    kubectl('get namespace $NS -o jsonpath={.status.phase}'),
    kubectl('get configmaps'),
    kubectl('apply -f -', { input: `${labelled('one', 'front')}---\n${labelled('two', 'back')}` }),
    kubectl('create secret generic hidden --from-literal=password=p'),
    kubectl('create service clusterip web --tcp=80:8080'),
    kubectl('create deployment web --image=example.com/web:v1 --replicas=2 --port=8080'),
    kubectl('create serviceaccount robot'),
    kubectl('create role reader --verb=get,list --resource=configmaps'),
    kubectl('create rolebinding readers --role=reader --serviceaccount=$NS:robot'),
    kubectl('apply -f -', { input: pod }),
    kubectl('get configmaps'),
    kubectl('get configmaps --show-labels'),
    kubectl('get configmaps -L tier'),
    kubectl('get configmaps -l tier=front'),
    kubectl("get configmaps -l 'tier in (front,back)' -o name"),
    kubectl('get configmaps -l tier!=front -o name'),
    kubectl('get configmaps --field-selector=metadata.name=two -o name'),
    kubectl('get configmaps --field-selector=data.text=two', { code: 1 }),
    kubectl('get configmaps --sort-by=.metadata.name -o name'),
    kubectl('get configmaps --chunk-size=1 -o name'),
    kubectl('get configmaps --no-headers'),
    kubectl('get configmap one -o yaml'),
    kubectl('get configmap one -o yaml --show-managed-fields'),
    kubectl('get configmap one -o json'),
    kubectl('get configmaps -o json'),
    kubectl('get configmaps -o yaml'),
    kubectl('get configmap one -o jsonpath={.data.text}'),
    kubectl("get configmaps -o jsonpath='{range .items[*]}{.metadata.name}={.data.text} {end}'"),
    kubectl('get configmaps -o custom-columns=NAME:.metadata.name,TEXT:.data.text'),
    kubectl("get configmaps -o go-template='{{range .items}}{{.metadata.name}} {{end}}'"),
    kubectl('get configmaps,secrets -o name'),
    kubectl('get configmap/one secret/hidden'),
    kubectl('get secrets'),
    kubectl('get services -o wide'),
    kubectl('get service web -o yaml'),
    kubectl('get deployments -o wide'),
    kubectl('get deployment web -o yaml'),
    kubectl('get pods -o wide'),
    kubectl('get pod runner -o yaml'),
    kubectl('get serviceaccounts'),
    kubectl('get roles,rolebindings -o wide'),
    kubectl('get all'),
    kubectl('get configmaps -A --field-selector=metadata.namespace=$NS'),
    kubectl('get namespaces -o name', { statusOnly: 'the other stories have namespaces, too' }),
    kubectl('get --raw /api/v1/namespaces/$NS/configmaps/one', {
      differs: 'The members of an object are in another order.',
    }),
    kubectl('get --raw /healthz'),
    kubectl('get --raw /nonsense', { code: 1 }),
    kubectl('describe configmap one'),
    kubectl('describe secret hidden'),
    kubectl('describe service web --show-events=false'),
    kubectl('describe serviceaccount robot'),
    kubectl('describe role reader'),
    kubectl('describe rolebinding readers'),
    kubectl('describe deployment web'),
    kubectl('describe pod runner'),
    kubectl('describe namespace $NS'),
    kubectl('get events --field-selector=reason=None'),
    kubectl('get configmap one two -o name --ignore-not-found'),
  ],
}
