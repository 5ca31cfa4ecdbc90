import type { Environment, Tool } from './rollout';

/** The library of an invented snow survey, and the tools that read it. */

export const tools: Tool[] = [
  {
    name: 'search',
    description: 'Finds documents that hold all the given words.',
    parameters: { query: { type: 'string', description: 'Words, separated by spaces.' } },
  },
  {
    name: 'open_document',
    description: 'The title and the section names of a document.',
    parameters: { document: { type: 'string', description: 'Its id, as search gives it.' } },
  },
  {
    name: 'read_section',
    description: 'The text of one section, in Markdown.',
    parameters: {
      document: { type: 'string', description: 'Its id.' },
      section: { type: 'string', description: 'A section name, as open_document gives it.' },
    },
  },
  {
    name: 'percent_change',
    description: 'The change from one value to another, in percent.',
    parameters: {
      from: { type: 'number', description: 'The earlier value.' },
      to: { type: 'number', description: 'The later value.' },
    },
  },
];

/** April snow depth in centimetres. */
const depths = {
  'Harrow Pass': { 2019: 214, 2021: 196, 2023: 171 },
  'Ennis Bowl': { 2019: 188, 2021: 139, 2023: 121 },
  'Tarn Ridge': { 2019: 96, 2021: 71, 2023: 58 },
  'Old Quarry': { 2019: 142, 2021: 150, 2023: 139 },
};

function depthTable(year: 2019 | 2021 | 2023): string {
  const rows = Object.entries(depths).map(([station, by]) => `| ${station} | ${by[year]} |`);
  return ['| station | depth on 1 April (cm) |', '|---|---:|', ...rows].join('\n');
}

interface Document {
  title: string;
  sections: Record<string, string>;
}

const documents: Record<string, Document> = {
  'report-2019': {
    title: 'Kestrel Valley snow survey, annual report 2019',
    sections: {
      summary: 'A winter close to the long-term mean. All four stations were read on 1 April.',
      depths: depthTable(2019),
      methods: 'Depth is the mean of five stakes. A station is moved only with a year of parallel readings.',
    },
  },
  'report-2021': {
    title: 'Kestrel Valley snow survey, annual report 2021',
    sections: {
      summary:
        'A windy winter. **Tarn Ridge was moved** in October, without parallel readings: see corrections.',
      depths: depthTable(2021),
      corrections:
        'From 2021 on, readings of Tarn Ridge are taken 140 m further down the slope, where less snow lies. To compare ' +
        'with earlier years multiply them by **1.31** (five stakes kept at the old site, winter 2021).',
    },
  },
  'report-2023': {
    title: 'Kestrel Valley snow survey, annual report 2023',
    sections: {
      summary: 'The third winter in a row below the mean at three of the four stations.',
      depths: `${depthTable(2023)}\n\nRaw readings. Corrections of earlier reports are not applied.`,
      outlook: 'A new wind fence for Ennis Bowl is planned.',
    },
  },
  'log-tarn': {
    title: 'Field log, Tarn Ridge',
    sections: {
      '2019': 'Stakes 1 to 5 sound. Rime on the mast.',
      '2021':
        'Oct 4: mast and stakes moved downhill, the old ledge is unsafe. Old stakes left standing for the winter.',
      '2023': 'Stakes sound. Shallow, crusted snow.',
    },
  },
  'log-ennis': {
    title: 'Field log, Ennis Bowl',
    sections: {
      '2019': 'Wind fence repaired, one panel missing. Deep, even snow.',
      '2020':
        'Nov 12: **wind fence taken down** after storm damage. Stakes 2 and 3 now stand in scoured snow.',
      '2022': 'Still no fence. Bare ground between stakes 2 and 4 after every westerly.',
    },
  },
  'log-harrow': {
    title: 'Field log, Harrow Pass',
    sections: { '2019': 'Routine.', '2023': 'Routine. Road closed two weeks shorter than usual.' },
  },
};

export const library: Environment = (name, args) => {
  const document = documents[String(args['document'])];
  switch (name) {
    case 'search':
      return JSON.stringify({ documents: found(String(args['query'])) });
    case 'open_document':
      if (document === undefined) return JSON.stringify({ error: `no document ${String(args['document'])}` });
      return JSON.stringify({ title: document.title, sections: Object.keys(document.sections) });
    case 'read_section':
      return document?.sections[String(args['section'])] ?? JSON.stringify({ error: 'no such section' });
    case 'percent_change': {
      const [from, to] = [Number(args['from']), Number(args['to'])];
      return String(Math.round((1000 * (to - from)) / from) / 10);
    }
    default:
      return JSON.stringify({ error: `no tool ${name}` });
  }
};

function found(query: string): { id: string; title: string }[] {
  const words = query.toLowerCase().split(/\s+/);
  return Object.entries(documents).flatMap(([id, { title, sections }]) => {
    const all = [title, ...Object.values(sections)].join(' ').toLowerCase();
    return words.every((word) => all.includes(word)) ? [{ id, title }] : [];
  });
}
