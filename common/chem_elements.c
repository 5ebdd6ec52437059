// SPDX-License-Identifier: MIT
/*
 * chem_elements.c — the elements, the isotopes that geochemists measure, the usual formulas
 */
#include "chem_impl.h"

static const char symbols[119][3] = {
    "",   "H",  "He", "Li", "Be", "B",  "C",  "N",  "O",  "F",  "Ne", "Na", "Mg", "Al", "Si",
    "P",  "S",  "Cl", "Ar", "K",  "Ca", "Sc", "Ti", "V",  "Cr", "Mn", "Fe", "Co", "Ni", "Cu",
    "Zn", "Ga", "Ge", "As", "Se", "Br", "Kr", "Rb", "Sr", "Y",  "Zr", "Nb", "Mo", "Tc", "Ru",
    "Rh", "Pd", "Ag", "Cd", "In", "Sn", "Sb", "Te", "I",  "Xe", "Cs", "Ba", "La", "Ce", "Pr",
    "Nd", "Pm", "Sm", "Eu", "Gd", "Tb", "Dy", "Ho", "Er", "Tm", "Yb", "Lu", "Hf", "Ta", "W",
    "Re", "Os", "Ir", "Pt", "Au", "Hg", "Tl", "Pb", "Bi", "Po", "At", "Rn", "Fr", "Ra", "Ac",
    "Th", "Pa", "U",  "Np", "Pu", "Am", "Cm", "Bk", "Cf", "Es", "Fm", "Md", "No", "Lr", "Rf",
    "Db", "Sg", "Bh", "Hs", "Mt", "Ds", "Rg", "Cn", "Nh", "Fl", "Mc", "Lv", "Ts", "Og",
};

static const char *const names[119] = {
    NULL,         "hydrogen",     "helium",        "lithium",     "beryllium",   "boron",
    "carbon",     "nitrogen",     "oxygen",        "fluorine",    "neon",        "sodium",
    "magnesium",  "aluminium",    "silicon",       "phosphorus",  "sulfur",      "chlorine",
    "argon",      "potassium",    "calcium",       "scandium",    "titanium",    "vanadium",
    "chromium",   "manganese",    "iron",          "cobalt",      "nickel",      "copper",
    "zinc",       "gallium",      "germanium",     "arsenic",     "selenium",    "bromine",
    "krypton",    "rubidium",     "strontium",     "yttrium",     "zirconium",   "niobium",
    "molybdenum", "technetium",   "ruthenium",     "rhodium",     "palladium",   "silver",
    "cadmium",    "indium",       "tin",           "antimony",    "tellurium",   "iodine",
    "xenon",      "caesium",      "barium",        "lanthanum",   "cerium",      "praseodymium",
    "neodymium",  "promethium",   "samarium",      "europium",    "gadolinium",  "terbium",
    "dysprosium", "holmium",      "erbium",        "thulium",     "ytterbium",   "lutetium",
    "hafnium",    "tantalum",     "tungsten",      "rhenium",     "osmium",      "iridium",
    "platinum",   "gold",         "mercury",       "thallium",    "lead",        "bismuth",
    "polonium",   "astatine",     "radon",         "francium",    "radium",      "actinium",
    "thorium",    "protactinium", "uranium",       "neptunium",   "plutonium",   "americium",
    "curium",     "berkelium",    "californium",   "einsteinium", "fermium",     "mendelevium",
    "nobelium",   "lawrencium",   "rutherfordium", "dubnium",     "seaborgium",  "bohrium",
    "hassium",    "meitnerium",   "darmstadtium",  "roentgenium", "copernicium", "nihonium",
    "flerovium",  "moscovium",    "livermorium",   "tennessine",  "oganesson",
};

/* Other spellings of element names. */
static const struct {
    const char *name;
    int z;
} aliases[] = {
    { "aluminum", 13 },
    { "sulphur", 16 },
    { "cesium", 55 },
};

/* For each first letter the second letters of its symbols ('-' stands for none), and their
 * atomic numbers. */
static const struct {
    char seconds[13];
    unsigned char z[12];
} rows[26] = {
    { "lrsgutcm", { 13, 18, 33, 47, 79, 85, 89, 95 } },
    { "e-raikh", { 4, 5, 35, 56, 83, 97, 107 } },
    { "-laroudsemfn", { 6, 17, 20, 24, 27, 29, 48, 55, 58, 96, 98, 112 } },
    { "ybs", { 66, 105, 110 } },
    { "urs", { 63, 68, 99 } },
    { "-erml", { 9, 26, 87, 100, 114 } },
    { "aed", { 31, 32, 64 } },
    { "-eofgs", { 1, 2, 67, 72, 80, 108 } },
    { "n-r", { 49, 53, 77 } },
    { "", { 0 } },
    { "-r", { 19, 36 } },
    { "iaurv", { 3, 57, 71, 103, 116 } },
    { "gnodtc", { 12, 25, 42, 101, 109, 115 } },
    { "-eaibdpoh", { 7, 10, 11, 28, 41, 60, 93, 102, 113 } },
    { "-sg", { 8, 76, 118 } },
    { "-drmtboau", { 15, 46, 59, 61, 78, 82, 84, 91, 94 } },
    { "", { 0 } },
    { "buhenafg", { 37, 44, 45, 75, 86, 88, 104, 111 } },
    { "i-cernbmg", { 14, 16, 21, 34, 38, 50, 51, 62, 106 } },
    { "icebmalhs", { 22, 43, 52, 65, 69, 73, 81, 90, 117 } },
    { "-", { 92 } },
    { "-", { 23 } },
    { "-", { 74 } },
    { "e", { 54 } },
    { "-b", { 39, 70 } },
    { "nr", { 30, 40 } },
};

/* Atomic number and mass number, ascending. */
static const unsigned char isotopes[][2] = {
    { 1, 1 },    { 1, 2 },    { 1, 3 },    { 2, 3 },    { 2, 4 },    { 3, 6 },    { 3, 7 },
    { 4, 7 },    { 4, 9 },    { 4, 10 },   { 5, 10 },   { 5, 11 },   { 6, 12 },   { 6, 13 },
    { 6, 14 },   { 7, 14 },   { 7, 15 },   { 8, 16 },   { 8, 17 },   { 8, 18 },   { 10, 20 },
    { 10, 21 },  { 10, 22 },  { 12, 24 },  { 12, 25 },  { 12, 26 },  { 13, 26 },  { 13, 27 },
    { 14, 28 },  { 14, 29 },  { 14, 30 },  { 14, 32 },  { 15, 32 },  { 16, 32 },  { 16, 33 },
    { 16, 34 },  { 16, 35 },  { 16, 36 },  { 17, 35 },  { 17, 36 },  { 17, 37 },  { 18, 36 },
    { 18, 37 },  { 18, 38 },  { 18, 39 },  { 18, 40 },  { 19, 39 },  { 19, 40 },  { 19, 41 },
    { 20, 40 },  { 20, 41 },  { 20, 42 },  { 20, 43 },  { 20, 44 },  { 20, 48 },  { 22, 46 },
    { 22, 47 },  { 22, 48 },  { 22, 49 },  { 22, 50 },  { 23, 50 },  { 23, 51 },  { 24, 50 },
    { 24, 52 },  { 24, 53 },  { 24, 54 },  { 25, 53 },  { 26, 54 },  { 26, 56 },  { 26, 57 },
    { 26, 58 },  { 26, 60 },  { 28, 58 },  { 28, 60 },  { 28, 61 },  { 28, 62 },  { 28, 64 },
    { 29, 63 },  { 29, 65 },  { 30, 64 },  { 30, 66 },  { 30, 67 },  { 30, 68 },  { 30, 70 },
    { 31, 69 },  { 31, 71 },  { 34, 74 },  { 34, 76 },  { 34, 78 },  { 34, 80 },  { 34, 82 },
    { 36, 78 },  { 36, 81 },  { 36, 84 },  { 36, 85 },  { 36, 86 },  { 37, 85 },  { 37, 87 },
    { 38, 84 },  { 38, 86 },  { 38, 87 },  { 38, 88 },  { 38, 90 },  { 39, 89 },  { 40, 90 },
    { 40, 91 },  { 40, 92 },  { 40, 94 },  { 40, 96 },  { 41, 92 },  { 42, 92 },  { 42, 94 },
    { 42, 95 },  { 42, 96 },  { 42, 97 },  { 42, 98 },  { 42, 100 }, { 43, 99 },  { 44, 102 },
    { 46, 107 }, { 47, 107 }, { 47, 109 }, { 48, 110 }, { 48, 112 }, { 48, 113 }, { 48, 114 },
    { 49, 115 }, { 50, 120 }, { 50, 122 }, { 50, 124 }, { 53, 127 }, { 53, 129 }, { 54, 129 },
    { 54, 130 }, { 54, 131 }, { 54, 132 }, { 54, 134 }, { 54, 136 }, { 55, 133 }, { 55, 134 },
    { 55, 137 }, { 56, 134 }, { 56, 135 }, { 56, 137 }, { 56, 138 }, { 57, 138 }, { 57, 139 },
    { 58, 138 }, { 58, 140 }, { 58, 142 }, { 60, 142 }, { 60, 143 }, { 60, 144 }, { 60, 145 },
    { 60, 146 }, { 60, 148 }, { 62, 146 }, { 62, 147 }, { 62, 149 }, { 71, 175 }, { 71, 176 },
    { 72, 174 }, { 72, 176 }, { 72, 177 }, { 72, 178 }, { 72, 179 }, { 72, 182 }, { 74, 180 },
    { 74, 182 }, { 74, 183 }, { 74, 184 }, { 74, 186 }, { 75, 185 }, { 75, 187 }, { 76, 184 },
    { 76, 186 }, { 76, 187 }, { 76, 188 }, { 76, 189 }, { 76, 190 }, { 76, 192 }, { 78, 190 },
    { 78, 194 }, { 78, 195 }, { 78, 196 }, { 78, 198 }, { 80, 198 }, { 80, 199 }, { 80, 200 },
    { 80, 201 }, { 80, 202 }, { 80, 204 }, { 81, 203 }, { 81, 205 }, { 82, 202 }, { 82, 204 },
    { 82, 205 }, { 82, 206 }, { 82, 207 }, { 82, 208 }, { 82, 210 }, { 83, 209 }, { 84, 210 },
    { 86, 220 }, { 86, 222 }, { 88, 223 }, { 88, 224 }, { 88, 226 }, { 88, 228 }, { 89, 227 },
    { 90, 228 }, { 90, 229 }, { 90, 230 }, { 90, 232 }, { 90, 234 }, { 91, 231 }, { 92, 233 },
    { 92, 234 }, { 92, 235 }, { 92, 236 }, { 92, 238 }, { 93, 237 }, { 94, 238 }, { 94, 239 },
    { 94, 240 }, { 94, 241 }, { 94, 242 }, { 94, 244 }, { 95, 241 },
};

/* In byte order. */
static const char *const formulas[] = {
    "Ag2S",      "AgCl",       "AgI",     "AgNO3",   "Al(OH)3",    "Al2O3",  "Al2SiO5",
    "AlOOH",     "As2O3",      "As2S3",   "AsO3",    "AsO4",       "B2O3",   "BCl3",
    "BN",        "BO3",        "BO4",     "BaCO3",   "BaCl2",      "BaO",    "BaSO4",
    "Br2",       "C2H4",       "C2H5OH",  "C2H6",    "C3H8",       "C6H6",   "CF4",
    "CH3",       "CH3COOH",    "CH3OH",   "CH4",     "CN",         "CO",     "CO2",
    "CO3",       "COS",        "CS2",     "Ca(OH)2", "CaAl2Si2O8", "CaCO3",  "CaCl2",
    "CaF2",      "CaMg(CO3)2", "CaO",     "CaSO4",   "CaSiO3",     "CaTiO3", "CdS",
    "Ce2O3",     "CeO2",       "Cl2",     "ClO4",    "CoO",        "Cr2O3",  "CrO4",
    "Cs2O",      "Cu2O",       "Cu2S",    "CuFeS2",  "CuO",        "CuS",    "Fe(OH)2",
    "Fe(OH)3",   "Fe2O3",      "Fe2SiO4", "Fe3O4",   "FeCO3",      "FeCl2",  "FeCl3",
    "FeO",       "FeOOH",      "FeS",     "FeS2",    "FeSiO3",     "FeTiO3", "Ga2O3",
    "GeO2",      "H2",         "H2CO3",   "H2O",     "H2O2",       "H2PO4",  "H2S",
    "H2SO4",     "H2SiF6",     "H3BO3",   "H3PO4",   "H4SiO4",     "HBr",    "HCN",
    "HCO3",      "HCl",        "HClO4",   "HF",      "HNO3",       "HPO4",   "HS",
    "HSO4",      "HfO2",       "HgS",     "K2CO3",   "K2O",        "K2SO4",  "KAlSi2O6",
    "KAlSi3O8",  "KBr",        "KCN",     "KCl",     "KNO3",       "KOH",    "La2O3",
    "Li2B4O7",   "Li2CO3",     "Li2O",    "LiBO2",   "LiF",        "LiOH",   "Mg(OH)2",
    "Mg2SiO4",   "MgCO3",      "MgCl2",   "MgO",     "MgSO4",      "MgSiO3", "Mn(OH)2",
    "MnCO3",     "MnO",        "MnO2",    "MnO4",    "MnOOH",      "MoO3",   "MoO4",
    "MoS2",      "N2",         "N2O",     "NH3",     "NH4",        "NH4Cl",  "NH4NO3",
    "NH4OH",     "NO",         "NO2",     "NO3",     "Na2CO3",     "Na2O",   "Na2SO4",
    "NaAlSi3O8", "NaAlSiO4",   "NaCl",    "NaHCO3",  "NaNO3",      "NaOH",   "Nb2O5",
    "Nd2O3",     "NiO",        "NiS",     "O2",      "O3",         "OCS",    "OH",
    "P2O5",      "PO4",        "PbO",     "PbS",     "Rb2O",       "SF6",    "SO2",
    "SO3",       "SO4",        "Sb2O3",   "Sb2S3",   "Sc2O3",      "SeO3",   "SeO4",
    "Si(OH)4",   "SiC",        "SiF4",    "SiO2",    "SiO4",       "SnO2",   "SrCO3",
    "SrO",       "SrSO4",      "Ta2O5",   "ThO2",    "TiC",        "TiO2",   "U3O8",
    "UF6",       "UO2",        "V2O5",    "VO4",     "WC",         "WO3",    "WO4",
    "Y2O3",      "ZnO",        "ZnS",     "ZrO2",    "ZrSiO4",
};

int chem_symbol(struct sv symbol)
{
    if (symbol.n < 1 || symbol.n > 2 || symbol.p[0] < 'A' || symbol.p[0] > 'Z')
        return 0;
    int second = symbol.n == 2 ? symbol.p[1] : '-', row = symbol.p[0] - 'A';
    if (symbol.n == 2 && (second < 'a' || second > 'z'))
        return 0;
    for (size_t i = 0; rows[row].seconds[i]; i++)
        if (rows[row].seconds[i] == second)
            return rows[row].z[i];
    return 0;
}

int chem_name(struct sv name)
{
    if (name.n < 3 || name.n > 13)
        return 0;
    char first = (char)(name.p[0] | 32);
    for (int z = 1; z <= 118; z++)
        if (names[z][0] == first && sv_ieq(name, sv_from(names[z])))
            return z;
    for (size_t i = 0; i < ARRAY_LEN(aliases); i++)
        if (sv_ieq(name, sv_from(aliases[i].name)))
            return aliases[i].z;
    return 0;
}

const char *chem_symbol_of(int z)
{
    return z >= 1 && z <= 118 ? symbols[z] : NULL;
}

const char *chem_name_of(int z)
{
    return z >= 1 && z <= 118 ? names[z] : NULL;
}

bool chem_mass_fits(int z, int mass)
{
    if (z == 1)
        return mass >= 1 && mass <= 3;
    if (z == 4 && mass == 7)
        return true;
    if (z <= 20) /* light nuclei: as many neutrons as protons, or a few more */
        return 10 * mass >= (z == 2 ? 15 : 18) * z && 2 * mass <= 5 * z + 2;
    return 10 * mass >= 19 * z && 10 * mass <= 27 * z;
}

bool chem_isotope_known(int z, int mass)
{
    for (size_t i = 0; i < ARRAY_LEN(isotopes); i++)
        if (isotopes[i][0] == z && isotopes[i][1] == mass)
            return true;
    return false;
}

bool chem_formula_known(const char *formula, size_t n)
{
    size_t lo = 0, hi = ARRAY_LEN(formulas);
    struct sv key = { formula, n };
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        int c = sv_cmp(sv_from(formulas[mid]), key);
        if (c == 0)
            return true;
        if (c < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return false;
}
