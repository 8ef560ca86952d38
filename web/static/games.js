// The games that the page can show: each module has the same face (see pacal.js).

import { pacal } from "./pacal.js";

export const games = { pacal };
