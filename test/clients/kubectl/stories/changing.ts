import { kubectl, type Story } from '../command.js'

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: main, image: 'example.com/web:v1' }] }
`

/** Commands that change one thing. */
export const changing: Story = {
  name: 'changing',
  commands: [
    kubectl('create namespace $NS'),
    kubectl('create configmap thing --from-literal=text=one'),
    kubectl('label configmap thing tier=x'),
    kubectl('label configmap thing tier=x'),
    kubectl('label configmap thing tier=y', { code: 1 }),
    kubectl('label configmap thing tier=y --overwrite'),
    kubectl('label configmap thing --list'),
    kubectl('label configmap thing tier-'),
    kubectl('label configmap thing tier-'),
    kubectl('label configmap thing bad_=-', { code: 1 }),
    kubectl('label configmaps --all all=yes --dry-run=server'),
    kubectl('label configmap thing tier=z --resource-version=1', { code: 1 }),
    kubectl('annotate configmap thing note=hello'),
    kubectl('annotate configmap thing note=hello --overwrite'),
    kubectl('annotate configmap thing note-'),
    kubectl('patch configmap thing -p {"data":{"p":"strategic"}}'),
    kubectl('patch configmap thing -p {"data":{"p":"strategic"}}'),
    kubectl('patch configmap thing --type=merge -p {"data":{"p":"merge"}}'),
    kubectl("patch configmap thing --type=merge -p 'data: { q: yaml }'"),
    kubectl('patch configmap thing --type=json -p [{"op":"remove","path":"/data/p"}]'),
    kubectl('patch configmap thing --type=json -p [{"op":"remove","path":"/data/p"}]', { code: 1 }),
    kubectl('patch configmap thing --type=json -p [{"op":"test","path":"/data/text","value":"two"}]', {
      code: 1,
    }),
    kubectl('patch configmap thing --type=merge -p {"data":{"n":1}}', {
      differs: 'The members of an object are in another order.',
      code: 1,
    }),
    kubectl('patch configmap thing --type=merge -p {"surprise":1}'),
    kubectl('patch configmap thing --type=merge -p {', { code: 1 }),
    kubectl('patch configmap thing --type=merge -p {"metadata":{"name":"other"}}', { code: 1 }),
    kubectl('patch namespace $NS --subresource=status --type=merge -p {"status":{"phase":"Active"}}'),
    kubectl('edit configmap thing', { editor: 'sed -i s/one/edited/' }),
    kubectl('edit configmap thing', { editor: 'true' }),
    kubectl('edit configmap thing', { editor: 'sed -i s/kind:.*/kind:/', code: 1 }),
    kubectl('edit configmap thing -o json', { editor: 'sed -i s/edited/again/' }),
    kubectl('get configmap thing -o jsonpath={.data}'),
    kubectl('apply -f -', { input: deployment }),
    kubectl('scale deployment web --replicas=3'),
    kubectl('scale deployment web --replicas=4 --current-replicas=9', { code: 1 }),
    kubectl('get deployment web --subresource=scale'),
    kubectl('get deployment web --subresource=scale -o jsonpath={.spec.replicas}'),
    kubectl('patch deployment web --subresource=scale --type=merge -p {"spec":{"replicas":5}}'),
    kubectl('patch deployment web --subresource=status --type=merge -p {"status":{"replicas":5}}'),
    kubectl('get deployment web'),
    kubectl('edit deployment web --subresource=status', { editor: 'sed -i "s/replicas: 5/replicas: 6/"' }),
    kubectl("get deployment web -o jsonpath='{.spec.replicas} {.status}'"),
    kubectl('set image deployment/web main=example.com/web:v2'),
    kubectl('set image deployment/web none=example.com/web:v2', { code: 1 }),
    kubectl('set env deployment/web LEVEL=debug'),
    kubectl('set env deployment/web --list'),
    kubectl('set resources deployment/web --limits=cpu=200m,memory=512Mi'),
    kubectl('set serviceaccount deployment web robot'),
    kubectl('rollout pause deployment/web'),
    kubectl('rollout pause deployment/web', { code: 1 }),
    kubectl('rollout resume deployment/web'),
    kubectl('rollout history deployment/web'),
    kubectl('rollout restart deployment/web', { statusOnly: 'it writes the time' }),
    kubectl('expose deployment web --port=80 --target-port=8080'),
    kubectl('autoscale deployment web --max=3'),
    kubectl('get hpa.v1.autoscaling web -o yaml'),
    kubectl('get hpa'),
    kubectl('taint nodes --all key=value:NoSchedule', { code: 0 }),
    kubectl('patch deployment web --type=merge -p {"spec":{"selector":{"matchLabels":{"app":"other"}}}}', {
      code: 1,
    }),
    kubectl(
      'patch deployment web -p {"spec":{"template":{"spec":{"containers":[{"name":"main","image":"example.com/web:v9"}]}}}}',
    ),
    kubectl("get deployment web -o jsonpath='{.spec.template.spec.containers}'"),
  ],
}
