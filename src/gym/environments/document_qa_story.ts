/** A document to ask about: a harbour chronicle in which the same things are said of several people, and only one entry settles each. */

const ENTRIES: readonly (readonly [string, string])[] = [
  [
    'March',
    'The winter ice broke up late. Three boats were repaired on the slip, and the harbour master, Ingrid Solheim, asked the council for a new lamp on the outer mole. The council put the matter off, as it does every spring, and the fishermen went on steering by the church tower.',
  ],
  [
    'April',
    'A trader from the south, Matteo Ferrari, offered to supply the lamp in exchange for a berth free of charge. Old Henrik Dahl said in the tavern that he would build the lamp himself, and everybody laughed, because Henrik had not built anything since his boat shed fell down.',
  ],
  [
    'May',
    'Herring came early and in great number. The salting house worked at night. Nobody spoke of the lamp, except the schoolteacher, Astrid Moen, who had her pupils draw one. The drawings hung in the window of the chandlery until the sun had bleached them.',
  ],
  [
    'June',
    'Ferrari left for the south with two crates of dried cod and the promise to come back before the storms. His berth stayed empty. Henrik Dahl was seen buying brass sheet and a pane of thick glass, which he said was for a stove.',
  ],
  [
    'July',
    'The ferry ran aground on the bar in clear weather, and no harm was done. The pilot said that a lamp would have made no difference by day. Ingrid Solheim wrote to the council again and kept a copy of the letter this time.',
  ],
  [
    'August',
    "Fair month. There was dancing on the quay, and the band from the next fjord stayed for a week. The widow Berit Aas sold her late husband's workshop, with all the tools in it, to somebody who did not want to be named.",
  ],
  [
    'September',
    'The first storm took the roof of the ice house. Ferrari did not come back. A letter from him said that the glassworks had burned and that there would be no lamp this year, nor any other year at the old price.',
  ],
  [
    'October',
    'On the night of the ninth the outer mole was lit for the first time. The lamp had been built by Astrid Moen and her oldest pupils in the workshop of the late Aas, from brass that Henrik Dahl had bought for them. The chronicle records it here, because the council recorded nothing.',
  ],
  [
    'November',
    'Two boats came in safely in fog. Both skippers said that they had steered by the lamp. Henrik Dahl told the story in the tavern as if he had done it all, and nobody contradicted him, least of all the schoolteacher.',
  ],
  [
    'December',
    'The council voted, eleven to two, to buy a lamp. Ingrid Solheim thanked them and asked them to look out of the window.',
  ],
];

export const STORY = ENTRIES.map(([month, entry]) => `${month}. ${entry}`).join('\n\n');
