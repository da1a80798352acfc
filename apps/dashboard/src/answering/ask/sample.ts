/** A document to try the product with. */
export const SAMPLE_NAME = 'Guide to the Lindholm Observatory';

/** The sample answers them, in English as it is: words of another language would not be found. */
export const SAMPLE_QUESTIONS = [
  'When is the observatory open?',
  'What does a ticket cost for children?',
  'What happens if the sky is cloudy?',
] as const;

export const SAMPLE_TEXT = `# Guide to the Lindholm Observatory

The Lindholm Observatory stands on a hill of 312 metres, eight kilometres north of the town. Its main telescope has a mirror of 1.2 metres and was built in 1978.

## Opening hours

The observatory is open to visitors from Wednesday to Sunday, from 14:00 to 22:00. In July and August it closes at 23:30, because it does not get dark earlier. It is closed from 20 December to 6 January.

## Tickets

A ticket costs 9 euros for adults and 4 euros for children from 6 to 16 years. Children under 6 years do not pay. Groups of ten or more pay 6 euros each and must register three days before their visit.

## Observing nights

On clear Fridays, visitors may look through the main telescope. The guided observing night begins one hour after sunset and takes about two hours. It is limited to 24 people. If the sky is cloudy, the planetarium shows the sky of the evening instead, and tickets remain valid for another Friday.

## Getting there

Bus 14 leaves the station every 30 minutes and takes 21 minutes to the stop Lindholm. From there a paved path of 600 metres leads to the entrance. The path and all rooms except the dome can be reached with a wheelchair. There are 40 parking places, two of them with chargers for electric cars.

## Rules

White light disturbs the eyes of the other visitors, so only red torches are allowed outside after dark. Dogs must stay outside the buildings, except guide dogs. Photographs are allowed without flash.
`;
