/** What ends a sentence: in Latin and other letters, full width, in Hindi, Arabic and Urdu. For a character class. */
export const sentenceStops = ".!?…。！？।॥؟۔";
