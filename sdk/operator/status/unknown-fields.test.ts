import t from 'tap'
import { deployments } from '../../engine/kube/builtin.js'
import { type Logger, silentLogger } from '../../engine/observe/logger.js'
import { backups } from '../backups.fixture.js'
import { UnknownFields } from './unknown-fields.js'

void t.test('each unknown field is reported once, with what to do', (t) => {
  const said: string[] = []
  const logger: Logger = { ...silentLogger, warn: (_fields, message) => void said.push(String(message)) }
  const fields = new UnknownFields()
  fields.report(['size', 'load'], { resource: deployments, logger })
  fields.report(['size'], { resource: deployments, logger })
  fields.report(['nodes', 'nodez'], { resource: backups, logger })
  t.same(said, [
    'status.size, status.load were not stored: the installed CRD of Deployment has no such field; correct its name, or apply a CRD that has it',
    'status.nodez was not stored: the kind Backup has no such field; add it to status in defineKind and apply the definition, or correct its name in the controller',
    'status.nodes was not stored: the installed CRD of Backup is older than the program; apply what vcluster-plugin crd prints',
  ])
  t.end()
})
