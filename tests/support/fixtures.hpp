#pragma once
#include <zlib.h>

#include <string>
#include <string_view>

namespace bochner::testing {

/// The bytes behind base64 of a zlib stream, which is how the files below are kept.
inline std::string unpack(std::string_view base64) {
  std::string packed, out(1 << 16, '\0');
  unsigned bits = 0, count = 0;
  for (const char c : base64) {
    const std::size_t digit =
        std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/").find(c);
    if (digit == std::string_view::npos) break;  // padding
    bits = bits << 6 | static_cast<unsigned>(digit);
    count += 6;
    if (count >= 8) packed += static_cast<char>(bits >> (count -= 8) & 0xff);
  }
  uLongf size = out.size();
  uncompress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(packed.data()),
             packed.size());
  out.resize(size);
  return out;
}

// Written by numpy 2: np.lib.format.write_array(file, array, version), then base64(zlib.compress(bytes)).
inline const std::string npy_f8 = unpack(  // 2x3: 1 2 3; 4 5 6.5
    "eNqb7BfqGxDJyFDGUK2eklqcXKRupaBuk2ahrqOgnpZfVFKUmBefX5SSChJ3S8wpTgWKF2ckFqQC+RpGOgrGmjoKtQpkAy4GMPhg"
    "D6EZHCAUB5QWgNIiUFrKAQDHAx4l");
inline const std::string npy_f4_fortran_big = unpack(  // the same as '>f4' in Fortran order
    "eNqb7BfqGxDJyFDGUK2eklqcXKRupaBul2airqOgnpZfVFKUmBefX5SSChIPKSpNBQoXZyQWpAK5GkY6CsaaOgq1CuQDLvsGBgYH"
    "EGYA4gVADGQ4XGBgAAAQAx9y");
inline const std::string npy_i2_big = unpack(  // '>i2', 3x2
    "eNqb7BfqGxDJyFDGUK2eklqcXKRupaBul2mkrqOgnpZfVFKUmBefX5SSChJ3S8wpTgWKF2ckFqQC+RrGOgpGmjoKtQpkAy4Gxv//"
    "GHUaGBhYGdgAuDkeJQ==");
inline const std::string npy_i8 = unpack(  // '<i8', -2^53 and 2^40
    "eNqb7BfqGxDJyFDGUK2eklqcXKRupaBuk2mhrqOgnpZfVFKUmBefX5SSChJ3S8wpTgWKF2ckFqQC+RqGOgpGmjoKtQpkAy4GMHjw"
    "H0wxMjAAACG4HVE=");
inline const std::string npy_u8_big = unpack(  // '>u8', 2^63
    "eNqb7BfqGxDJyFDGUK2eklqcXKRupaBuV2qhrqOgnpZfVFKUmBefX5SSChJ3S8wpTgWKF2ckFqQC+RqGOgqGmjoKtQpkA64GBggA"
    "AD5dG/4=");
inline const std::string npy_u1 = unpack(  // '|u1', one dimension
    "eNqb7BfqGxDJyFDGUK2eklqcXKRupaBeU2qorqOgnpZfVFKUmBefX5SSChJ3S8wpTgWKF2ckFqQC+RrGOpo6CrUKFAAuhv/sAMeK"
    "HKw=");
inline const std::string npy_b1 = unpack(  // '|b1'
    "eNqb7BfqGxDJyFDGUK2eklqcXKRupaBek2SorqOgnpZfVFKUmBefX5SSChJ3S8wpTgWKF2ckFqQC+RqGOgpGmjoKtQpkAy5GBgCl"
    "Exuk");
inline const std::string npy_f2 = unpack(  // '<f2', 0.5 -2 nan
    "eNqb7BfqGxDJyFDGUK2eklqcXKRupaBuk2akrqOgnpZfVFKUmBefX5SSChJ3S8wpTgWKF2ckFqQC+RqGOgrGmjoKtQpkAy4GC4YD"
    "DHUA/agc3w==");
inline const std::string npy_v2 = unpack(  // format 2.0
    "eNqb7BfqGxDJxFDCwMBQrZ6SWpxcpG6loG6TZqGuo6Cell9UUpSYF59flJIKEndLzClOBYoXZyQWpAL5GkY6CsaaOgq1CmQCLgYw"
    "+GAPoRkcIBQHlBaA0iJQWsoBAIi5HeQ=");
inline const std::string npy_v3 = unpack(  // format 3.0
    "eNqb7BfqGxDJzFDCwMBQrZ6SWpxcpG6loG6TZqGuo6Cell9UUpSYF59flJIKEndLzClOBYoXZyQWpAL5GkY6CsaaOgq1CmQCLgYw"
    "+GAPoRkcIBQHlBaA0iJQWsoBAIljHeU=");

// np.savez(file, X=[[1, 2, 3], [4, 5, 6.5]], y=[1., 2.]) and np.savez_compressed of the same.
inline const std::string npz_stored = unpack(
    "eNoL8GZm0WWAAEWG3cL2L/5DASuDCEOEXl5BJSODAMMGqBIYPdkv1DcgkpGhjKFaPSW1OLlI3UpB3SbNQl1HQT0tv6ikKDEvPr8o"
    "JRUk7paYU5wKFC/OSCxIBfI1jHQUjDV1FGoVyAZcEFd8sIc6xwFCcUBpASgtAqWlHAJQvJkSvWo/sjcrYd6cAFUygTrepMyTWLwZ"
    "4M3IpMuMGl8boNHCyoAADYwgEhx76FpAfp8A9SKqludAshKihZUNJMQEhGlAeh3YNABVFWfu");
inline const std::string npz_deflated = unpack(
    "eNoL8GZm0WVgYOAAYkWG3cL2L/5DASuDCEOEXl5BJSODAMMGBgiIgtKz34i/khY4eSLgWMDaeZOi5sQsyVu6IG9y2sJ1ixfMmxYf"
    "EjRlhvj8+CmTuITKvc9o+rF2iaeriC1h+inlZsV1bJYV11auFGY9NoMfCfwLJWUURNiniDVcUgqIOsXIEIDioJToVfuRHVQJc9AE"
    "qEN8KHcQ2DkiDHDnAJ3AyKTLjBoqII+DAoGVAQEaGEEkOIzQtYDcDXLaBAwtE4FkJUQLKxtIiAkI04C0CNg0AE1ibWQ=");

// h5py 3, once with libver="earliest" (symbol tables, B-trees of version 1) and once with "v110":
//   X (2x3 doubles: 1 2 3; 4 5 6.5), y (3 '>i4'), deep/gz (4x3 '<f4' 0..11, chunks 2x2, shuffle and gzip), flags (2x2 bool,
//   identity), words (text), cube (3-D), none (0x3), named (compound), lzf (compressed by h5py's own filter), sparse (group with
//   indices and indptr), infinite (2x2, inf last).
inline const std::string hdf5_earliest = unpack(
    "eNrtWkFPE0EUfjPbbYcCUoSIISjVqOmRICoHE5aEYg8GiWjCiVDoFppgQQqxYoxgYsBbjx49eiQh8ezNKwkXj8Rf0LMX3N2Z2Xan"
    "nW3BIgXmu3w7s2/fzLx9MzvvzX5OjI23h3vDYIMQCEAEynHE8PWRt8zvzzJGjHcYf8O8Hjn3rrP6TqZflHvxPB4HwK5+sZ2BAOUE"
    "K0fuMgaFy4BEfHTS5l1WXmQcC51uuwh06tuIl2OUMa1g7gsaY7GsWZ5vS3ZGR4A4NQYMtcLQERPQrVr7PsZUIWEzRUNMHAaEHuXP"
    "9D1MTTwbQxDknYOo5i/Pe78f9Zfj68NO0Lue8Am+y+q5mt2b/vqmGRce1vArfnHn/9qx0q+oBRBCgv9wjjiikRaAQJkl5P4zwF5R"
    "m9ByoSnnt+w7Ib5/vg5Me90D9oNefQsbXj9KNKifvN23jFOmuWJzeim5kLP4zfJqyub59TnTrs8uZyknX5kpi5c20s5zuZXkas66"
    "k8mmM9nMmgnQ2P7K7FlgE3J3sFy6OMIuDEqEcYRxN+Neg3XRXua0/Mz87ObH4HYw+C4UgpZ2DE7Nlt52xSCgT6JbTnlT6wh09/X1"
    "3UAde/jAqUJa8Ek0APg77FnaUHLu393HhYHsYaDiiKEDHIZDogiWP+pjieIH9Q1WUFBQULg4oHE3ksfdXew7qEx1KWHHen7xb0CI"
    "UwLS+LffjVt6CPTw7ZQbv2hUYSsMO2WE+W6NODvZ3OJ6Or1kuvoRq0+Z1s57rVTvxj9Yy3eXNny41LXhBsS/qBT/XlU+ctJ1B1mv"
    "RFx3apnzMfHGfSDZ1U8wuS7JfY4ZQR+WyL8m1dvDgt8rKCgoKCgoKCg0Oh6p7zxOxpol7+TFMVURIVwVgfHRp1NxZ2/6Ms6U+5yv"
    "bJHqO7/FM7aH9xypcvx0PF2IPiIf3ydSfSf85Zz5B433kFaff1Ta66Tnt9vMfkaT+Yd3voAQr4M0fj/u+MVMEke+yfzDO1+QK8fH"
    "n3eur2F6kpqssx17XeH5jrk6Y8RqNpbb96fkfDfW0PxOw+aHm9+h6y/iBn5v39fcc1HbRjoqnfOX5XOm73nzOWz8iYb6B83v6O6s"
    "Ld72l+fZpMNb/nKTjH+FvP4lnsfyt/ejv4Z/8dmkN3N+pzKv3FHjuYMaeRaVh1ZQUFBQUFBQuFio9T/C8JB3/6twuSD+/8v/b90f"
    "9MplsqnMvJmzeWVttRRvGaeUN5D+r03AjYv98yW/iXdEHM35vzaNk7Ebj8Xu1xevbj5QPnwcv6rMtxzXr/5I/pgonBN7nFI+qsJO"
    "4RYqERV6dLb5yr+8IPZj");
inline const std::string hdf5_v110 = unpack(
    "eNrtWV1sVEUUPmfuz97uttvdsra4LLFVY8QEqUlRok26XS63m9iUpi2hQULYn1uyFbc/S2mpwQL+8BM1EBJjgjUYDQgJIVpjMDZi"
    "4gMP+iDhQZ/QIM+mUR+qL3Xu3Jnr7i2lldawG/c89Mw5Mzsz5zvnnpkzPR7XjSpv2CtpGgia45SK2HIj18unLp7aGte7CIyRGkvx"
    "6Sq7Qw/Z3EsAKeuF/4x6JiaPsC0gID4KQAgi4X0S525ZCgEG61vANjAKTT5omqOdCt2t5NWoJRLyTsdUOAtFTxu+6Qg7WFAPUChQ"
    "ctteCRiooK5jUn2BzY3c5kox4RUoWUqOv1pfEJpzLrJDU60Cysie8Q4BUNuKbeHZocuPuENTdrlDvmNoPuS4p06Dugngoenz1QIS"
    "Ym0c2Qh0WpYDZUJ9SIgseXeIad8oFncc9789YrTGdUC/V2xuP2+c+/6Jr4xWPQYo9t3MA5E5Djq4FGB/d3HJzjRDBX1ttwY+XCgZ"
    "LMSlBsBNBFieCmg2p3iC0drevQV6urZtobr8r+SwVug6OF2UH8Cltw4ccyeDebZrgKvQtjnfxNe1wnEwDSVNXWPX2xwsmqhd0uJx"
    "MQ+rJRwaRzluUbHwyeLD4ic9FTS6aWj38zMadbT9O/la88di1EwLFJiicR7gPMR5OAp2+FgwSWO7UrsPHVGPqurLHg9UVNHka2kO"
    "K5X+qAZKJzYw+ZBULYcikcharJ4iN5gKJbWtXgbyOUxZ8ZhILtdM/KcZRcsMnGmJKgA/ez3uIWThn94FiZkJKFOZylSmMpXp/0ru"
    "6za4Chq4h9pblGhQQrV35e+/bbxX6PjtHF33D+lJwKeJXY4n7OJElIVJkBcD8Zq7mH+nWKHrf/iF2HLDblm3d58vTOtqhIMyxV6C"
    "veN9DGgFLajpjW+tVVsTq7bWsDpvEzfEC9nofcPuyprdPxhd8U7wMGMDMO/NTufhJK7786Dh5FviinLeL5GHI0IqLHTrbs5WxHpo"
    "pa9Y46xZ049Ph8QaYpXrn/xRZ3TTUSD2h3e8fVvrdcIY84Pdc5vf38WCgg/0xv6M9bQboLxy0PRAAwt9jz/gg2b2PnBt+6VaOEGb"
    "fjiz5oMIvEib1fDlF78+ButZczgy2Ajv0mYQfkk+dwJ2Mu3N2f1n4QJ7b1h3YcdFeIDNu+nk7cvQzuY9H52cgXHWPJ16ZnP5RLjf"
    "h9EiD341ViB5Mtl0JmXmWursH6pBS6tS7eC+4edX8+nW/8vle7fNbV7S+6sGTiLKT9m3eD5Z7XzdpeuKN98bubro89NdsPir4GGv"
    "tLHY+NRHtSt6YHGMvBXAE3Dp3JN2Dn02asT1mPOvIovebz82S7HpnXLOADxw1TkX5LRpDn5LhKj07U3syX0tO/LowHA6953iDE+N"
    "JM0fVUfMDmTNDQFndDbxkpnuDwpZoqf9uRohqbnBxHDOnK4VCi2T7ctkM/vM7Q+W0+tK0d+i9g9r");

// The same libver="earliest", one dataset X (3x2 doubles 0..5): contiguous, and in 2x2 chunks with shuffle, gzip and fletcher32.
inline const std::string hdf5_small = unpack(
    "eNrr9HBx4+WS4mIAAQ4OBhYGAQZk8B8KDDhQ+TD5BCjNCKU7oPQKJpg4I1hOAiouCDUfXV1IkKsrSPV/NACzx4AFQnMwjIKRCDxc"
    "HQNAdASUD0ulJ5hQ1UWgpUcPCu1lZGCFmMUI42tAaCaIADNUHcwZmHwJsFZBBXto2nVgMOFmMPkPVcgKFAXJMzFBDOSA5hRmRlhS"
    "N0BzUcWAxkOwn78LKEfD8qEC82jaHAWjYHiAD/ZQhgO0toXSAlBaxAEAFUYwXw==");
inline const std::string hdf5_small_gzip = unpack(
    "eNrr9HBx4+WS4mIAAQ4OBhYGAQZk8B8K7vGj8mHyCVCaEUp3QOkVTDBxRrCcBFRcEGo+urqQIFdXkOr/aABmjwELhOZgGAUjEXi4"
    "OgaA6AgoH5ZKTzChqotAS48eFNrLyMAGMYsRxteA0EwQAWaoOpgzMPkSYK2CCvbQtOvAYMLNYPIfqpAVKAqSZ2KGGMjNEADmMzLD"
    "zOEA56DijNK0tJxUePpnhIqnpKblJJakMrDA7YOEDFBtSXJGapGxESzfQHIgMxNzBSvCiUyILKVAVHgE+/m7MIJth+piHk2b5ABQ"
    "eccIDH708k6cgL4N0HJYHC2doYPj/Kh8JjR6tBwdBaNgFIyCUTAKRsEoGBqgIi454QCjnUGBwQ1rC2AzLpRxR3r6PUawMB+Li4SE"
    "jIyEBAPTG4alibVvvACm2Foa");

// anndata 0.12: X as above, observations "cell1" and "cell" with a beta behind it, variables TP53, ACTB, MYC, obsm["pca"]
// (1 2; 3 4).
inline const std::string anndata_file = unpack(
    "eNrtXL1TG0cU35NAOkDYh41twF9nDB6IjSOMg7FniIUBW0USaxIKp4ovkmwzA5JGyB7oXDodZcqUKZlULildZVK65E+gTOfobt87"
    "7a60JwXdEWd4v+bNWz3tvnv3Plb7Fn7Jrjwe7B/rZy5Mk/Uwi4n4BMg8kXn8/DlQA+g7oL/HcLzH+2wExi2Y345zfh/G175fXWUs"
    "5s+vrnPYw6kN/MIqUEY4CciuLuVcugd8Dv1tJdp1h8BfVb9OsSz49yk2zExWLOXLhfXSy5naTqVYHx81DO+blh8bphQnycaQN5aC"
    "JzLqK0rzvSlWt9bLJdSn3by9wrwxb9zknxm41hSnMcOXcQHh2MTH65HrSg7ZD2HaDLs7wO5+iuN6fP5YjE9oQqTHDQz5tGTPbu0m"
    "Pl9cyCcLCT72zF/Javk+f/ju6Yqbk2AKdhAPfv8Z9L+v5TxXAX43I6+2m5DlMGG9T8j569cZWW4f+IMv/x/xGIW/9njjyZb1Ip2U"
    "6wXmA3zfKP8xIev503qpUNxmrKbUqcwRnxv1+XtS1icFmhhssG6PEZYvb7zeLM2Uq4ViNdAOhiHpJVGzYaMUaOzax7U3Plc7+yaE"
    "eRItnufJ8tNvDMGBpfxUh1MqFZya4+eFXqDp27O300KewHGnWnV24F3K8nc8+V7lOWtM1i2hvLekMp4vbmz8+Yf/SP587vhsnfb5"
    "74Njq1Z1vRLVYv0avQYUvXaUeXB8G+hgm3VOadY5DTzq6Rr3RdXZLCpZS/3ekMY+Z5R8/e2Pyx49yxox5WJpee2RS4eV8bXcV3Mu"
    "Pdfmec5r9LrQ5nlGNN8b1fjNmEb+oqJ3YT3vuc4ljV9e1shf0chf1cjbGvlrGvlxjfx1jfyERn5SI39DI49YSNFekUAgEAgEAoFA"
    "IATh8KF8LGLiqRbQYaBjGfG8xlTOF5LKuUVK4Qfw9wzwwwp/Fn/HAn+mY/0IBAKBQCD8G/C+u6Htu6fh4NIiU51INPeP+Yk+9q2w"
    "L9ToG/N+sa4v1egXM6VfnIZWgS2t322/OCXsJ/tYo3+3DQfvjX6x3ZE9eP845vef7PFgeYybvybIl+T3Gn7/uN8bT/D+ceT+movc"
    "XwcjspPbm8R7Ler9hG717xPWOR2R/lym9T2B7WnO73VY3xZuMmE1wkmDeo8E87U9Lcthvx39MdvluuivH29xfr8pf7S+R6K7h4X5"
    "rTnPZmC+o98bGepgH9C4L9ZtXq1Ecm9MzKvnBPu/vdXNPsDw88bUFxRLn8s+4LxQ3w7wwsR0+PXtQkT6jzD9vWlzTs4X7erbq1mq"
    "b1Tfmuubkl5ZJe9I/thtfev03rGOHv3e8W+R7MvF+BwV4nHvjlo/rI7qxbM0+ebnUi/GhHqh3sPu1m/E/tbFiPS/FFAv3s23qhdM"
    "Wy8IVC/EfIb5Kj2v5neOXEjrYvwdwv7Gmg8//i5HFH9XgvZrDyj+CN3H397944m/yj3O794PP/6uRhR/dlD9W6T4I4RQ/xaPqf5B"
    "vbAWw4+/axHF33hQ/Vui+COEUP8yx1T/lL/rDTP+rkcUfxMB8ff2McUfIYT6txJt/CFw3fLPWx5941SR3wR+E/gK8B7dcHbqAcTY"
    "69KWpN/ziOzEz/N6/WPU7D3ZLuo+Gs9TPyzJcofAW2BfjN/3N2Q5tY8xhfPNKfMpv5/x/6N8eKDIKfuM/wr+vkexQ5h5dzKivOu+"
    "kn8AXXdEEw==");

// anndata 0.12: X sparse, 3 x 4 floats (0 1 0 2; 0 0 0 0; 3 0 0 4), observations cell1 cell2 cell3, variables TP53 ACTB MYC GAPDH,
// layers["counts"] the same as integers.
inline const std::string anndata_csr = unpack(
    "eNrtXc1TGzcU19rGmK/EJCQY8oFDL0ynyTgpmcmljQlQ3CYFh0DGdJiCY9zCFGyPbTLm0tC0nUlvHHPkyNFHjvwJOXLsMUcfuSW7q6dd"
    "SUHrON4lBL/fTEY87dPHavX0np6flP8SEz/0dA52EgOhEAmQMOHxDhD9V6TZ82VINUhfQbrnY/kB81kE8sNQf9RP6QPIn5udnCTEZ9Uv"
    "t7MbpGkU6MjfNL1HEK2AxORY0kirQCchXX3pbbu9MF/led1NEjC/z5E+EiLZXCa/spb7/WZ5q5DV8wc0zSwZtmQjJMhJu51l5nXDG2l6"
    "i0J9z7PF0lo+x/pTr942rl6fmR88Vv5Yxqogf5pS/ioDQjFEi8pfiojrcCIo8q2ky2kjXcutrGWyJSMtlIv2/Gx0vX4yPTNh6BCY0uR/"
    "v6hvQgGajkA/4pBfWxD5Ir9A+4tMDihi34t8KaArcfE9aw+l+h5BfdNf9nedGp95pHEDIqxPOtK5nPlJffz6Yozbrdu3YnoKn4N0Qpop"
    "FZc20uXiWoXSAUU5RrPps6RPlGzFptnzTHZ9/VuuP3z+HXupE/Jv62kHYes0RUnvkr6apovF9BbfX7tfd8x+dQHdwc3n34rpjaxUn1yu"
    "R/E+54Bm4/TzwriZnpfqmRpLTiS4ecnGbWx87gHVQ2L+XPKuMSzkQp33vKjob1+d97ykKHdZ6ocu5WUj7Vd854iCf0DBP6jgv6Lgv6rg"
    "v6bgv15nvg4pykUV7dxQ8A8r+L9S8Ft6tht1DQKBQCAQCAQCgfAGzB9Y+I7SB9Z+kvk3g/rfEVJaTZt+zXCI7bmpg0TTqMeA+Qd80n6X"
    "7X80fcejcQ4GDXaGrDzjY35Hv/7ceNIbHYJnUdIfIv0vrP1TyHzu8/vMCkJQn9/nOxi0mw7Yb/rqVI079Wv5Lf/FaqTedwI/1NfOfKya"
    "2GhrzF/Db60d47cOK/hrwyIdkFIEAoFAIBBnEdv3qfEa1/9txzXOVvVzNqwPbAL+9/SQRLdLdJDZEUD3SnSYtQH0Oan8eTCPfcAXANqp"
    "fwgEAoFAIOqjcT9U2GQ1/F7MD0WIo/+JfGO7FDgVvXMqx6NR/4kVwECIMF5oiyAQCAQCgfZTE/ZT/O4Ztp/CaD8hEAgEAtFyYOdJ5XNr"
    "zZ4n7bSzzN+JvDhPSn+Paj/2PGktTukqZxc5nSetPiBca4hWg3yelNnLr+MiHztHx+Zjosl22XxNTlD6gMjy16PLS4Rk8uubG7mb+eJK"
    "tmjKbfS+Ffc42kVG37FzqJp2bDvdLD5SlxdD/th71JO3ICcUbWZ+yHG/Jf82zOImVe1Y+y4fEfddWhR2JjHpPZpbl7q59+ngxv+IHoO0"
    "vr99ws4ZNG5Ss9aN3TGUpU+BF/qhk9Nv8jnqZudRB9dOl0f973bQb2+mGtNvOz+ifkP99qF+q0ydjH6LPTz9+q3nI/Sb7B/7dP2WBP0W"
    "90y/XeDG//And/TbdgJl6bTot4ucfrs3Cd93yn391udR/y8R9X1c1WlxvaD6jSj1GwL1G7++sfUqJd2Hw+Zh0mX/iXz/TrPyx8fpXvZI"
    "/vod5C82i/KHaF7+Dh+fjPy9nqH0/mP35S/ikfwNOOm/eZQ/hAv6b/6E9N8T0H/z7svfoEfyd8VJ/y2g/CFc0H+pE9J/T0H/pdyXv6se"
    "yd81B/l7++dx8qf2bxaW0L+J8vehfzO1KPJl8pu5csk9/6bqPuP9ZUp/7H3GsWe2rYnA+RuFNLIk8nlzn7Ht360uinrqEOijX/EbOYHJ"
    "/Yiktz7/vUUNxztXMnaTpz7eWb63KJqu950o9v5w5mPr8Ntya8zfRuPGdzBuHIFAIBCIlsMJ2KH761+QHdqo/bSL9hMCgUAgEGg/uW8/"
    "HW2eYfupivYTAoFAIBAtBxb3JP8+7ea9BdeJN3FPQ1z/5f8H2M24rahH/b9B1HFby/9Q+oCz63g7FuMmETxUcZPhl/J+iSLpcvus3fyz"
    "kpk+TxcZvQH0BtAFoM10Pb2lCxAhm7mS0L9lj8aJxjm0Wbch1GbFcZHjr1lc294Lke8N0LW/oBwb70mRTz5POAL5hRmRTz53weKPCk8l"
    "Pik+9XPrDXkc3Fx3hz1ad40t73vJBCzZ");
inline const std::string anndata_csc = unpack(
    "eNrtXb1TG0cU3zsJcYDAwsZG4A9k4oLJxB7ZwTNuEgsDQYkdkDF4hIcJnIUSmICkkYRHNDFxkhmnc5HCpYsUlBQpKPkTXFKmdKmSzr67"
    "3b3bXbMnZN1hQO/XPN7e24/b27fv7dPu8ndy7LvO9v52ZELTUBBFEIv3BLG/eJ4+XyRUIfQloVsqTQ9az6IkPULKjwUwv0vSZ6bHxxFS"
    "7fLFet6EMI0RPvoHpncQoBmQHB9JmXSb8ClCl1/4W283Ga/iuA6jJBnfXagHaSiby+SXVnK/XC9vFLJGep+iWDkjtm5onJ60OklWWpi8"
    "kWLUyJX3LFssreRztD21ym1hylWt9NCB+kcTljn9U6T6V+njsgGaVP/SiJ+HkyFebkkv6yZdyS2tZLIlkxbKRWd81jtfP5qcGjNtCBnS"
    "6P8Ab2+0IKZDpB0Jkl6d4+WiT0j981QPMOLf8nJpwlcS/HtW7wvlPSDlTZ7s7zoxOvVAYTqEm58M6Lmc9UlVdn4x++3GzRtxg5LPgdoJ"
    "zZQyC2t6ubhSwXxQko/ydPgsGAMlW3F4+jyTXV39mmkPm37Lmeq49JsGbUN0nsYoGU0yZlO9WNQ32PY67bpltauD8G3MeP65qK9lhfLE"
    "fJ2S9+kiPO2nH+dGLXpGKGdiJDWWZMYl7beR0Zl72A7x6TOp22a3oLM13vOcpL09Nd7zvCTfBaEdhpaXTdor+c5RiXyfRL5fIn9RIn9J"
    "In9ZIn+lxngdkOSLSeq5KpEflMh/IZG37WwYbA0AAAAAAAAAAADwBzQeWPgG87v2epLGN0PG31FUWtatuGZEo2tuHCBRFBwxoPEBVVjv"
    "0vWPYqx4FCbAoJCVIc1P5WjcMWA8N590xwbIsxjq1VDvc3v9pFnP1YBqFaCR8gKqutvvVB103vTlsep3HNcK2PGL5Wit70TiUF+6y9Fi"
    "4sPNMX7NuLVyQNw6IpGvDvJ8UKAAAAAAAABOIxKG47p5FzuwmwmVeaLavir+WyV+AfubuibwrQIfor4E4bsFPkJ9Y8J3CfnPkOcKU/9h"
    "2ggAAAAAAECO+uNQEUvUjHvROBRCrvEn9JUTUmBM86tj2R/1xk/sDQwIcf0FPggAAAAAAM3rP7U07j8lbiO7qBPrP/VI5COC/9QC/hMA"
    "AAAAAKce9DypeG6t0fOk7U6S9fuRH+dJg1Z664HnSasJzG8zfpHbedLte4ipDdBsEM+T0njj6wQvR8/R0fGYbLBeOl5TY5jfRaL+dRr6"
    "EkWZ/Or6Wu56vriULVp6G7tr73sc7kDD7+k5VEU5sJ4w3R9p6Iupf/Q9aulbiFGKFitdc11v0X2WDsX7JmX12OsuFfHrLuUaWZnEhfdo"
    "bF4KM+/TxvT/Pj4GaX9/54SdO/C+ScWeN96MgC59CvywD+2MfRPPUTc6jtqYejp8an/Yxb69najPvr36Huwb2LeP7Vtl4mjsW/z+8bdv"
    "nYewb+Lvi59u32aIfUv4Zt/OMv2/94M39m0zCbp0XOzbOca+3Rkn33fCe/vW41P7zyP5fVzbk/x8ge0bkto3ANg3dn6j81VauA+HjsOU"
    "x/ET8f6dRvWP3aN7wSf963XRv/g06B+gcf3be3g0+vd6CvM7D73Xv6hP+tfnZv9mQf8AHti/2SOyf4+I/Zv1Xv/6fdK/i272bw70D+CB"
    "/Usfkf17TOxf2nv9u+ST/l120b93vx2kf/L4ZmEB4pugfx/HN9PzvFwmv54rl7yLb8ruM95ZxPxh7zOOP3V8TQCM3xih0QVezp/7jJ34"
    "7vY8b6f2CL//E3wjN1C9HxLs1ue/t6ju/c6VjFPlsd/vLN5bFNNrfSeMrV/d5eg8/K7cHOO33nN3/8C5OwAAAAAAmg5H4IfurJ4gP7Re"
    "/+lf8J8AAAAAAAD/yft7C/bXkV3Uqbu34D+4twAAAAAAgKYD3fck/j7t5b0FV5A/+54GmPaL/wfYy31bMZ/afxXJ920t/on5XcavY/1Y"
    "2DcJYCHbNxl5Ia6XMFIe10/rzT8tWfSZXqT8GuHXCF8gvEVX9Q1DgRBaz5W49i361E94n0OLfRtCdZrvF3H/Nd3XtvWcl3tL+OrvJB/t"
    "73FeTjxPOETSC1O8nHjugu4/KjwW5IT9qZ/bboj94OW8O+jTvGsueT8AgSAs2Q");

}  // namespace bochner::testing
