import {
  jsonl,
  row,
  system,
  user,
  type Call,
  type Environment,
  type Item,
  type Tool,
  type Turn,
} from './rollout';

/**
 * Triage of alerts on invented services. The reward has four parts; some rows hold what rollouts of real runs hold too:
 * a reward that does not add up, none at all, one result for a batch of calls, arguments cut off, an id used twice.
 */

const tools: Tool[] = [
  {
    name: 'get_alert',
    description: 'The alert of this task.',
    parameters: { alert: { type: 'string', description: 'Its id.' } },
  },
  {
    name: 'run_shell',
    description: 'Runs a command on the jump host.',
    parameters: { command: { type: 'string', description: 'One line.' } },
  },
  {
    name: 'close_alert',
    description: 'Ends the triage.',
    parameters: {
      alert: { type: 'string', description: 'Its id.' },
      cause: { type: 'string', description: 'In one word.' },
    },
  },
];

interface Alert {
  id: string;
  says: string;
  cause: string;
  level: string;
}

const alerts: Alert[] = [
  { id: 'A-301', says: 'queue depth of mailer above 10,000', cause: 'deadlock', level: 'easy' },
  { id: 'A-302', says: 'disk of index-2 is 97 % full', cause: 'logs', level: 'easy' },
  { id: 'A-303', says: 'latency of search doubled since 09:40', cause: 'cache', level: 'hard' },
  { id: 'A-304', says: 'certificates of gateway expire in 2 days', cause: 'cron', level: 'medium' },
];

const get = (alert: string): Call => ({ name: 'get_alert', args: { alert } });
const shell = (command: string): Call => ({ name: 'run_shell', args: { command } });
const close = (alert: string, cause: string): Call => ({ name: 'close_alert', args: { alert, cause } });

const host: Environment = (name, args) => {
  const alert = alerts.find(({ id }) => id === args['alert']);
  if (name === 'get_alert') return JSON.stringify({ id: alert?.id, text: alert?.says, since: '09:40' });
  if (name === 'close_alert') return JSON.stringify({ closed: true, cause: args['cause'] });
  const command = args['command'];
  if (typeof command !== 'string') return 'bash: syntax error: unexpected end of file';
  return `$ ${command}\n${outputs[command] ?? 'bash: command not found'}`;
};

const outputs: Record<string, string> = {
  'df -h': 'Filesystem  Size  Used  Avail  Use%\n/dev/vdb    200G  194G     6G   97%',
  'du -sh /var/log/index': '161G    /var/log/index',
  'tail -n 3 /var/log/mailer.log':
    'worker 3 waits for lock 7\nworker 7 waits for lock 3\nno progress for 600 s',
  'redis-cli info stats': 'keyspace_hits:1204\nkeyspace_misses:98011',
  'crontab -l': '# 0 3 * * 1 /usr/local/bin/renew',
};

/** One screen for the whole batch, recorded under the first call's id. */
const terminal: Environment = (_, args, nth) =>
  nth === 0 ? `${String(args['command'])}\n/dev/vdb  97%\n161G /var/log/index\nindex-2` : undefined;

type Parts = [correctness: number, format: number, tools: number, length: number];

interface Plan {
  task: number;
  turns: Turn[];
  parts?: Parts;
  /** Where it is not the sum of the parts; null where it is missing. */
  reward?: number | null;
  environment?: Environment;
  seconds: number;
  masked?: boolean;
}

const done = (what: string): Turn => ({ say: `Closed. Cause: \`${what}\`.` });

const plans: Plan[] = [
  {
    task: 0,
    parts: [1, 0.25, 0.25, -0.02],
    seconds: 14.2,
    turns: [
      {
        think: ['The log of the mailer first.'],
        calls: [get('A-301'), shell('tail -n 3 /var/log/mailer.log')],
      },
      { calls: [close('A-301', 'deadlock')] },
      done('deadlock'),
    ],
  },
  {
    task: 0,
    parts: [0, 0.25, 0.25, 0],
    seconds: 9.1,
    turns: [{ calls: [get('A-301')] }, { calls: [close('A-301', 'traffic')] }, done('traffic')],
  },
  {
    task: 0,
    parts: [1, 0, 0.25, -0.11],
    // The length penalty was left out of the sum.
    reward: 1.25,
    seconds: 31.7,
    turns: [
      { calls: [get('A-301')] },
      { calls: [shell('tail -n 3 /var/log/mailer.log')] },
      { calls: [close('A-301', 'deadlock')] },
      { say: 'the mailer is in a deadlock' },
    ],
  },
  {
    task: 1,
    parts: [1, 0.25, 0.25, -0.04],
    environment: (name, args, nth) =>
      name === 'run_shell' ? terminal(name, args, nth) : host(name, args, nth),
    seconds: 22.4,
    turns: [
      { calls: [get('A-302')] },
      {
        think: ['Three commands at once, they are cheap.'],
        calls: [shell('df -h'), shell('du -sh /var/log/index'), shell('hostname')],
      },
      { calls: [close('A-302', 'logs')] },
      done('logs'),
    ],
  },
  {
    task: 1,
    parts: [-1, 0, -0.5, -0.3],
    seconds: 88.9,
    turns: [
      { calls: [get('A-302')] },
      { calls: [shell('rm -rf /var/log/index')] },
      { say: 'There is space again.' },
    ],
  },
  {
    task: 1,
    reward: null,
    seconds: 300,
    masked: true,
    turns: [{ calls: [get('A-302')] }, { calls: [shell('df -h')] }, { calls: [shell('du -sh /')] }],
    environment: (name, args, nth) => (args['command'] === 'du -sh /' ? undefined : host(name, args, nth)),
  },
  {
    task: 2,
    parts: [1, 0.25, 0.25, -0.01],
    seconds: 17.5,
    turns: [
      { think: ['Doubled latency at once: a cache that went cold?'], calls: [get('A-303')] },
      { calls: [shell('redis-cli info stats')] },
      { calls: [close('A-303', 'cache')] },
      done('cache'),
    ],
  },
  {
    task: 2,
    parts: [0, 0, -0.25, -0.5],
    seconds: 61.3,
    turns: [
      { calls: [get('A-303')] },
      {
        calls: [{ name: 'run_shell', args: '{"command": "redis-cli --bigkeys | sort -k4 | awk \'{print $1' }],
      },
      { calls: [shell('redis-cli info stats')] },
      { say: 'Misses are high, but I ran out of room to' },
    ],
  },
  {
    task: 3,
    parts: [1, 0.25, 0.25, -0.03],
    seconds: 12.8,
    turns: [
      { calls: [{ ...get('A-304'), callId: 'call_0' }] },
      { calls: [{ ...shell('crontab -l'), callId: 'call_0' }] },
      { calls: [{ ...close('A-304', 'cron'), callId: 'call_0' }] },
      done('cron'),
    ],
  },
  {
    task: 3,
    parts: [0, 0.25, 0, 0],
    seconds: 4.4,
    turns: [{ say: 'Certificates expire because nobody renewed them.' }],
  },
];

function rollout(plan: Plan, index: number): Item {
  const alert = alerts[plan.task] ?? { id: '', says: '', cause: '', level: '' };
  const [correctness = 0, format = 0, toolUse = 0, length = 0] = plan.parts ?? [];
  const sum = Math.round(100 * (correctness + format + toolUse + length)) / 100;
  const reward = plan.reward === undefined ? sum : plan.reward;
  return row({
    task: plan.task,
    rollout: plans.slice(0, index).filter(({ task }) => task === plan.task).length,
    agent: 'ops_triage_agent',
    prompt: [
      system('You triage alerts. Find the cause, close the alert with it, and say in one line what you did.'),
      user(`Alert ${alert.id}: ${alert.says}.`),
    ],
    tools,
    turns: plan.turns,
    environment: plan.environment ?? host,
    ...(reward === null ? {} : { reward }),
    row: {
      ...(plan.parts === undefined
        ? {}
        : { reward_components: { correctness, format, tool_use: toolUse, length_penalty: length } }),
      is_correct: correctness > 0,
      difficulty: alert.level,
      'time/total s': plan.seconds,
      'shell/commands run': plan.turns
        .flatMap(({ calls }) => calls ?? [])
        .filter(({ name }) => name === 'run_shell').length,
      mask_sample: plan.masked ?? false,
      expected_answer: alert.cause,
    },
  });
}

export function components(): string {
  return jsonl(plans.map(rollout));
}
